import { severities, severityName } from '@assay/scanner/contract/severity.ts';
import type { BySeverity } from '../analysis-model.ts';

export const noFindings = (): BySeverity =>
  Object.fromEntries(severities.map((severity) => [severity, 0])) as BySeverity;

/** Adds up the counts of rows by severity. */
export function bySeverity<Row extends { severity: number }>(rows: Row[], count: (row: Row) => number): BySeverity {
  const sums = noFindings();
  for (const row of rows) sums[severityName(row.severity)] += count(row);
  return sums;
}

/** Reads counts in the order of ranks, info first. */
export const fromRanks = (counts: number[]): BySeverity =>
  bySeverity(
    counts.map((count, severity) => ({ severity, count })),
    ({ count }) => count,
  );

export const sumOf = (counts: BySeverity): number => severities.reduce((sum, severity) => sum + counts[severity], 0);

export const criticalAndHigh = ({ critical, high }: BySeverity): number => critical + high;
