import type { FindingDetail } from '@assay/client';
import { lazy, Suspense } from 'react';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { IconExternalLink } from '../../ui/icons.ts';
import classes from './code-at-place.module.css';
import { Code, CodeFigure } from './code-figure.tsx';
import { External, usePlaceUrl } from './facts.tsx';
import { Part } from './part.tsx';

const FlowAndFix = lazy(() => import('./flow-and-fix.tsx'));

/** Splits a marked line into three parts, the second being the location; null if the columns don't fit the line. */
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
        <Code text={text} />
      </mark>
    ) : (
      <Code text={text} />
    );
  return (
    <>
      <Code text={parts[0]} />
      <mark className={classes.place}>
        <Code text={parts[1]} />
      </mark>
      <Code text={parts[2]} />
    </>
  );
}

function Around({ finding }: { finding: FindingDetail }) {
  const { code, location, severity } = finding;
  const url = usePlaceUrl(finding);
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
        actions={
          <>
            <CopyIcon text={place} label="Copy path and line" />
            {url && (
              <External url={url}>
                <IconExternalLink size={16} stroke={1.5} aria-hidden />
                <span className="visually-hidden">Open the line at its host</span>
              </External>
            )}
          </>
        }
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

/** The code around the location, the evidence, the data flow and the proposed fix, if the tool reports them. */
export function CodeAtPlace({ finding }: { finding: FindingDetail }) {
  return (
    <>
      <Around finding={finding} />
      <Evidence finding={finding} />
      <Suspense>{(finding.flow !== null || finding.fix !== null) && <FlowAndFix finding={finding} />}</Suspense>
    </>
  );
}
