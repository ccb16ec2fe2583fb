import type { FindingStatus, Severity } from '@assay/client';
import classes from './marks.module.css';
import { severityNames, statusNames } from './words.ts';

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

/** A severity: shape and word, with a ground where it stands alone. In lists, colour is for critical and high. */
export function SeverityMark({ severity, pill = false }: { severity: Severity; pill?: boolean }) {
  return (
    <span className={`${pill ? classes.pill : classes.severity} ${classes[severity]}`}>
      <SeverityShape severity={severity} quiet={!pill} />
      {severityNames[severity]}
    </span>
  );
}

const statusMarks: Record<FindingStatus, { path: string; color: string }> = {
  new: { path: 'M7 2a5 5 0 1 1 0 10A5 5 0 0 1 7 2z', color: 'none' },
  triaged: { path: 'M7 2a5 5 0 1 1 0 10V2z', color: 'var(--accent)' },
  in_progress: { path: 'M7 2a5 5 0 1 1-5 5h5z', color: 'var(--accent)' },
  resolved: { path: 'm3 7 3 3 5-6', color: 'none' },
  false_positive: { path: 'm3.5 3.5 7 7m0-7-7 7', color: 'none' },
  accepted_risk: { path: 'M4.5 3v8m5-8v8', color: 'none' },
};

/** A status: sign and word. */
export function StatusMark({ status }: { status: FindingStatus }) {
  const { path, color } = statusMarks[status];
  return (
    <span className={classes.status}>
      <svg width={14} height={14} viewBox="0 0 14 14" aria-hidden="true">
        {color !== 'none' && <circle cx={7} cy={7} r={5} fill="none" stroke={color} strokeWidth={1.5} />}
        <path d={path} fill={color} stroke={color === 'none' ? 'currentColor' : 'none'} strokeWidth={1.6} />
      </svg>
      {statusNames[status]}
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
