import { type Severity, severityRank } from '@assay/scanner/contract/severity.ts';

/** The weight of a finding by severity, from the rank of info (0) to that of critical (4). */
const severityWeights = [0, 1, 3, 30, 100] as const;

/**
 * SQL of how much closing a finding counts, in hundredths: its weight, by half more at a priority of 100 than at 50, and by
 * half less at 0. What is exploited, exposed or critical comes first this way, whatever raises the priority.
 */
export const scoreSql = `(ARRAY[${severityWeights.join(', ')}])[severity + 1] * (50 + priority)`;

/** The same score in TypeScript. */
export const actionScore = ({ severity, priority }: { severity: Severity; priority: number }): number =>
  severityWeights[severityRank[severity]]! * (50 + priority);
