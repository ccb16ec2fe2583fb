import type { FindingDetail, FlowStep } from '@assay/client';
import { Fragment } from 'react';
import { CopyIcon } from '../../ui/copy.tsx';
import classes from './code-at-place.module.css';
import { Code, CodeFigure, Plain } from './code-figure.tsx';
import { type DiffLine, fixDiff, patchOf } from './fix-diff.ts';
import { Part } from './part.tsx';
import { formatCount, plural } from './words.ts';

/** A step of the flow: the source is a filled mark, the sink points down. */
const Stop = ({ kind }: { kind: 'source' | 'between' | 'sink' }) => (
  <svg className={`${classes.stop} ${classes[kind]}`} width={14} height={14} viewBox="0 0 14 14" aria-hidden="true">
    {kind === 'sink' ? <path d="M7 12.5.8 2h12.4z" /> : <circle cx={7} cy={7} r={4.5} />}
  </svg>
);

/** Returns the line of code of a step, if the code around the finding contains it. */
function lineOf({ path, start_line: line }: FlowStep, { code, location }: FindingDetail): string | null {
  if (code === null || line === null || path !== location.path) return null;
  return code.lines[line - code.start_line]?.trim() || null;
}

/** Code between backticks, which may contain backticks of its own, such as a template literal's. */
const codePattern = /`((?:[^`]|`(?![\s.,;:]|$))+)`(?=[\s.,;:]|$)/;

const StepMessage = ({ text }: { text: string }) =>
  text.split(codePattern).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message don't move
      <code key={index}>
        <Plain text={part} />
      </code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message don't move
      <Plain key={index} text={part} />
    ),
  );

function Flow({ finding, steps }: { finding: FindingDetail; steps: FlowStep[] }) {
  const files = new Set(steps.map(({ path }) => path).filter((path) => path !== null)).size;
  const count = plural(steps.at(-1)!.number, 'step');
  return (
    <Part
      title={
        <>
          From source to sink{' '}
          <span>
            {count}
            {files > 0 && `, ${plural(files, 'file')}`}
          </span>
        </>
      }
      label="Flow"
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long flow scrolls, by keyboard too */}
      <ol className={classes.flow} tabIndex={0}>
        {steps.map((step, index) => {
          const { number, path, start_line, message } = step;
          const isLast = index === steps.length - 1;
          const kind = index === 0 ? 'source' : isLast ? 'sink' : 'between';
          const line = lineOf(step, finding);
          const left = number - (index === 0 ? 0 : steps[index - 1]!.number) - 1;
          return (
            <Fragment key={number}>
              {left > 0 && (
                <li
                  className={classes.leftOut}
                >{`${formatCount(left)} ${left === 1 ? 'step was' : 'steps were'} left out`}</li>
              )}
              <li value={number} className={classes.step}>
                <Stop kind={kind} />
                <span className={classes.at}>
                  {kind !== 'between' && <b>{index === 0 ? 'Source' : 'Sink'} </b>}
                  <Plain text={path === null ? 'no file' : `${path}${start_line === null ? '' : `:${start_line}`}`} />
                </span>
                {line !== null && (
                  <code className={classes.stepCode}>
                    <Code text={line} />
                  </code>
                )}
                {message !== null && (
                  <span className={classes.message}>
                    <StepMessage text={message} />
                  </span>
                )}
              </li>
            </Fragment>
          );
        })}
      </ol>
    </Part>
  );
}

const signs: Record<DiffLine['kind'], string> = { same: ' ', removed: '−', added: '+', gap: '' };

function Fix({ finding: { fix, code, location, source } }: { finding: FindingDetail }) {
  if (fix === null) return null;
  const patch = patchOf(fix, code, location.path);
  return (
    <Part title="Proposed fix" actions={patch !== null && <CopyIcon text={patch} label="Copy the change as a patch" />}>
      {fix.description !== null && (
        <p className={classes.message}>
          <Plain text={fix.description} />
        </p>
      )}
      {fixDiff(fix, code, location.path).map(({ path, lines }) => (
        <CodeFigure key={path} label={`Proposed change of ${path}`} title={path}>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a diff don't move
            <span key={index} className={`${classes.diffLine} ${classes[line.kind]}`}>
              <span className={classes.number}>{line.old}</span>
              <span className={classes.number}>{line.new}</span>
              <span className={classes.sign}>{signs[line.kind]}</span>
              <span>
                <Code text={line.text} />
              </span>
            </span>
          ))}
        </CodeFigure>
      ))}
      <p className={classes.hint}>Proposed by {source}. Review it before you apply it.</p>
    </Part>
  );
}

/** The data flow to the location, and the proposed fix. */
export default function FlowAndFix({ finding }: { finding: FindingDetail }) {
  return (
    <>
      {finding.flow !== null && finding.flow.length > 0 && <Flow finding={finding} steps={finding.flow} />}
      <Fix finding={finding} />
    </>
  );
}
