import type { FindingDetail, FlowStep } from '@assay/client';
import { Fragment, type ReactNode } from 'react';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import classes from './code-at-place.module.css';
import { type DiffLine, fixDiff } from './fix-diff.ts';
import { Part } from './part.tsx';
import { formatCount, plural } from './words.ts';

/** Characters that are not seen, or that change the order in which others are. */
const hidden = /([\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff])/;

/** A text of a repository: characters that deceive the reader are shown by their number. */
function Plain({ text }: { text: string }) {
  return text.split(hidden).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text don't move
      <span key={index} className={classes.hidden}>
        U+{part.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}
      </span>
    ),
  );
}

type FigureProps = { label: string; title: string; severity?: string; actions?: ReactNode; children: ReactNode };

function CodeFigure({ label, title, severity, actions, children }: FigureProps) {
  return (
    <figure className={classes.figure} aria-label={label} data-severity={severity}>
      <figcaption className={classes.file}>
        <span className={classes.path}>
          <Plain text={title} />
        </span>
        {actions}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, by keyboard too */}
      <pre className={classes.lines} tabIndex={0}>
        {children}
      </pre>
    </figure>
  );
}

/** Returns a marked line in three parts, of which the second is the place; null where columns don't fit the line. */
function markedParts(line: string, { start_line, end_line, start_column, end_column }: FindingDetail['location']) {
  if (start_line !== end_line || !start_column || !end_column || line.includes('…') || end_column - 1 > line.length)
    return null;
  return [
    line.slice(0, start_column - 1),
    line.slice(start_column - 1, end_column - 1),
    line.slice(end_column - 1),
  ] as const;
}

function Line({ text, location }: { text: string; location: FindingDetail['location'] | null }) {
  const parts = location && markedParts(text, location);
  if (!parts)
    return location ? (
      <mark className={classes.marked}>
        <Plain text={text} />
      </mark>
    ) : (
      <Plain text={text} />
    );
  return (
    <>
      <Plain text={parts[0]} />
      <mark className={classes.place}>
        <Plain text={parts[1]} />
      </mark>
      <Plain text={parts[2]} />
    </>
  );
}

function Code({ finding: { code, location, severity } }: { finding: FindingDetail }) {
  if (code === null) return null;
  const { start_line, lines } = code;
  const [first, last] = [location.start_line ?? 0, location.end_line ?? location.start_line ?? 0];
  const place = `${location.path ?? ''}:${first}`;
  return (
    <Part title="Code">
      <CodeFigure
        label={`${location.path}, lines ${start_line} to ${start_line + lines.length - 1}`}
        title={place}
        severity={severity}
        actions={<CopyIcon text={place} label="Copy path and line" />}
      >
        {lines.map((text, index) => {
          const number = start_line + index;
          const isHit = number >= first && number <= last;
          return (
            <span key={number} className={`${classes.line} ${isHit ? classes.hit : ''}`}>
              <span className={classes.number}>{number}</span>
              <span>
                <Line text={text} location={isHit ? location : null} />
              </span>
            </span>
          );
        })}
      </CodeFigure>
    </Part>
  );
}

/** The offending content, unless the code shows the same. */
function Evidence({ finding: { evidence, code } }: { finding: FindingDetail }) {
  const folded = (text: string) => text.replace(/\s+/g, ' ').trim();
  if (!evidence || (code !== null && folded(code.lines.join(' ')).includes(folded(evidence)))) return null;
  return (
    <Part title="Evidence" actions={<CopyIcon text={evidence} label="Copy the evidence" />}>
      <CodeBlock text={evidence} bounded />
    </Part>
  );
}

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

/** The code around the place, the evidence, the flow to it and the proposed fix, where the tool gives them. */
export function CodeAtPlace({ finding }: { finding: FindingDetail }) {
  return (
    <>
      <Code finding={finding} />
      <Evidence finding={finding} />
      {finding.flow !== null && finding.flow.length > 0 && <Flow steps={finding.flow} />}
      <Fix finding={finding} />
    </>
  );
}
