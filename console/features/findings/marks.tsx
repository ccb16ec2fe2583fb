import type { DecisionOutcome, FindingStatus, Severity } from '@assay/client';
import classes from './marks.module.css';
import { outcomeNames, severityNames, statusNames } from './words.ts';

const shapes: Record<Severity, string> = {
  critical: 'M4.5 1h5L13 4.5v5L9.5 13h-5L1 9.5v-5z',
  high: 'M7 1.5 13.5 12.5H.5z',
  medium: 'M7 .8 13.2 7 7 13.2.8 7z',
  low: 'M7 1.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11z',
  info: 'M7 4a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
};

type ShapeProps = { severity: Severity; size?: number; quiet?: boolean };

/** The shape of a severity, so that colour is not its only sign. */
export function SeverityShape({ severity, size = 12, quiet = false }: ShapeProps) {
  const isColoured = !quiet || severity === 'critical' || severity === 'high';
  return (
    <svg className={classes.shape} width={size} height={size} viewBox="0 0 14 14" aria-hidden="true">
      <path d={shapes[severity]} fill={isColoured ? `var(--${severity}-solid)` : 'var(--faint)'} />
    </svg>
  );
}

/** A severity: shape and word, with a background if it stands alone. In lists, only critical and high have colour. */
export function SeverityMark({ severity, pill = false }: { severity: Severity; pill?: boolean }) {
  return (
    <span className={`${pill ? classes.pill : classes.severity} ${classes[severity]}`}>
      <SeverityShape severity={severity} quiet={!pill} />
      {severityNames[severity]}
    </span>
  );
}

const ring = 'M7 1.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11z';

/** The outline, the fill and the drawing of each sign. */
const statusMarks: Record<FindingStatus | 'demoted', { outline: string; fill?: string; line?: string }> = {
  new: { outline: ring },
  triaged: { outline: ring, fill: 'M7 3.5a3.5 3.5 0 0 1 0 7z' },
  in_progress: { outline: ring, fill: 'M7 3.5a3.5 3.5 0 1 1-3.5 3.5H7z' },
  resolved: { outline: ring, fill: ring, line: 'm4.3 7.2 1.9 1.9 3.5-4' },
  false_positive: { outline: ring, line: 'm5 5 4 4m0-4-4 4' },
  accepted_risk: {
    outline: 'M7 1.2 12 3v4c0 3-2.2 5-5 5.9C4.2 12 2 10 2 7V3z',
    line: 'm4.9 7 1.5 1.5 2.9-3.1',
  },
  demoted: { outline: ring, line: 'M7 4v6m-2.4-2.4L7 10l2.4-2.4' },
};

/** A status: sign and word; `label` replaces the word on an action that leads to the status. */
export const StatusMark = ({ status, label = statusNames[status] }: { status: FindingStatus; label?: string }) => (
  <Mark sign={status} label={label} />
);

/** The outcome of a decision. */
export const OutcomeMark = ({ outcome }: { outcome: DecisionOutcome }) => (
  <Mark sign={outcome} label={outcomeNames[outcome]} />
);

function Mark({ sign, label }: { sign: keyof typeof statusMarks; label: string }) {
  const { outline, fill, line } = statusMarks[sign];
  return (
    <span className={`${classes.status} ${classes[sign]}`}>
      <svg width={14} height={14} viewBox="0 0 14 14" aria-hidden="true">
        <path d={outline} strokeDasharray={sign === 'new' ? '2.2 2.1' : undefined} />
        {fill && <path d={fill} fill="currentColor" stroke="none" />}
        {line && <path d={line} stroke={fill ? 'var(--ground)' : undefined} />}
      </svg>
      {label}
    </span>
  );
}

export function Tag({ name }: { name: string }) {
  return (
    <span className={classes.tag} title={name}>
      {name}
    </span>
  );
}
