import type { FindingDetail, FlowStep } from '@assay/client';
import { Fragment } from 'react';
import classes from './code-at-place.module.css';
import { CodeFigure, Plain } from './code-figure.tsx';
import { type DiffLine, fixDiff } from './fix-diff.ts';
import { Part } from './part.tsx';
import { formatCount, plural } from './words.ts';

function Flow({ steps }: { steps: FlowStep[] }) {
  const files = new Set(steps.map(({ path }) => path).filter((path) => path !== null)).size;
  const count = plural(steps.at(-1)!.number, 'step');
  return (
    <Part title={`Flow: ${count}${files > 0 ? `, ${plural(files, 'file')}` : ''}`} label="Flow">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long flow scrolls, by keyboard too */}
      <ol className={classes.flow} tabIndex={0}>
        {steps.map(({ number, path, start_line, message }, index) => {
          const left = number - (index === 0 ? 0 : steps[index - 1]!.number) - 1;
          return (
            <Fragment key={number}>
              {left > 0 && (
                <li
                  className={classes.leftOut}
                >{`${formatCount(left)} ${left === 1 ? 'step was' : 'steps were'} left out`}</li>
              )}
              <li value={number} className={classes.step}>
                <span className={classes.at}>
                  <Plain text={path === null ? 'no file' : `${path}${start_line === null ? '' : `:${start_line}`}`} />
                </span>
                {message !== null && (
                  <span className={classes.message}>
                    <Plain text={message} />
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
  return (
    <Part title="Proposed fix">
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
                <Plain text={line.text} />
              </span>
            </span>
          ))}
        </CodeFigure>
      ))}
      <p className={classes.hint}>Proposed by {source}. Read it before you use it.</p>
    </Part>
  );
}

/** The flow of the input to the place, and the proposed fix. */
export default function FlowAndFix({ finding }: { finding: FindingDetail }) {
  return (
    <>
      {finding.flow !== null && finding.flow.length > 0 && <Flow steps={finding.flow} />}
      <Fix finding={finding} />
    </>
  );
}
