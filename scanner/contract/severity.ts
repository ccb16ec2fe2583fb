/** Severities in the API's spelling, the most severe first. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof severities)[number];

/** The rank that the database stores and sorts by: info 0 … critical 4. */
export const severityRank: Record<Severity, number> = { critical: 4, high: 3, medium: 2, low: 1, info: 0 };

/** Returns the severity of a CVSS base score (0-10), for tools that report only a score. */
export function severityFromCvss(score: number): Severity {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score > 0 ? 'low' : 'info';
}

/** Returns the ranks of these severities, by default of all. */
export const ranksOf = (chosen: readonly Severity[] = severities): number[] => chosen.map((name) => severityRank[name]);

/** Returns the name of a stored rank. */
export const severityName = (rank: number): Severity => severities[4 - rank]!;
