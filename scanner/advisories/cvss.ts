import calculator from 'ae-cvss-calculator';

/**
 * Returns the base score (0-10) of a CVSS vector of version 2 to 4, with or without the prefix `CVSS:3.1/`; undefined
 * for anything else.
 */
export function scoreOfVector(vector: string | undefined): number | undefined {
  if (vector === undefined || vector.length > 500 || !/^[A-Za-z0-9:./()]+$/.test(vector)) return undefined;
  const named = /^AV:/.test(vector) && /\/PR:/.test(vector) ? `CVSS:3.1/${vector}` : vector.replace(/^\((.*)\)$/, '$1');
  try {
    const score = calculator.fromVector(named)?.calculateScores()?.base;
    return score !== undefined && Number.isFinite(score) && score >= 0 && score <= 10 ? score : undefined;
  } catch {
    return undefined;
  }
}
