import { type Severity, severityRank } from '@assay/scanner/contract/severity.ts';

/** The weight of a finding by severity rank, from info (0) to critical (4). */
const severityWeights = [0, 1, 3, 30, 100] as const;

/**
 * SQL of the score for closing a finding, in hundredths: its severity weight, increased by half at a priority of 100
 * and reduced by half at 0. This puts critical, exploited and exposed findings first, whatever else raises the
 * priority.
 */
export const scoreSql = `(ARRAY[${severityWeights.join(', ')}])[severity + 1] * (50 + priority)`;

/** The same score in TypeScript. */
export const actionScore = ({ severity, priority }: { severity: Severity; priority: number }): number =>
  severityWeights[severityRank[severity]]! * (50 + priority);
