import type { Severity } from '@assay/scanner/contract/severity.ts';
import type { Criticality, Exposure } from '../data-sources/importance.ts';

/**
 * Increased whenever a rule of this file or the stored form of findings changes, so that every finding is recomputed.
 */
export const rulesVersion = 11;

/** The facts from which the priority of a finding is computed. */
export type UrgencyInputs = {
  severity: Severity;
  cvss: number | null;
  inTests: boolean;
  fixAvailable: boolean;
  /** Whether exploits are known (KEV). */
  knownExploited: boolean;
  /** 0 to 1; null without a score. */
  epssPercentile: number | null;
  criticality: Criticality;
  exposure: Exposure;
};
export type FactInputs = Pick<UrgencyInputs, 'severity' | 'cvss' | 'inTests' | 'fixAvailable'>;

/** The codes of `priority_reasons`. The position of each is its bit in `findings.urgency_bits` and never changes. */
export const priorityReasons = [
  'test_code',
  'fix_available',
  'cvss',
  'data_source_low',
  'data_source_high',
  'data_source_critical',
  'public',
  'known_exploited',
  'epss_top_1_percent',
  'epss_top_5_percent',
  'epss_top_20_percent',
] as const;
export type PriorityReason = (typeof priorityReasons)[number];

export const bitOf = (reason: PriorityReason): number => 1 << priorityReasons.indexOf(reason);

/** A part of the priority: points, and the bits of its reasons. */
type Part = { points: number; bits: number };

const severityPoints: Record<Severity, number> = { critical: 57, high: 48, medium: 33, low: 18, info: 3 };
const pointsPerCvss = 6;
const testPoints = -25;
const fixPoints = 5;
const criticalityParts: Record<Criticality, Part> = {
  low: { points: -10, bits: bitOf('data_source_low') },
  medium: { points: 0, bits: 0 },
  high: { points: 10, bits: bitOf('data_source_high') },
  critical: { points: 20, bits: bitOf('data_source_critical') },
};
const exposureParts: Record<Exposure, Part> = {
  internal: { points: 0, bits: 0 },
  public: { points: 15, bits: bitOf('public') },
};

const exploitedPart: Part = { points: 40, bits: bitOf('known_exploited') };
/** By minimum percentile, highest first. */
const likelihoodParts: Array<Part & { from: number }> = [
  { from: 0.99, points: 25, bits: bitOf('epss_top_1_percent') },
  { from: 0.95, points: 15, bits: bitOf('epss_top_5_percent') },
  { from: 0.8, points: 5, bits: bitOf('epss_top_20_percent') },
];
const noPart: Part = { points: 0, bits: 0 };

function partOfExploitation({ knownExploited, epssPercentile }: UrgencyInputs): Part {
  if (knownExploited) return exploitedPart;
  return likelihoodParts.find(({ from }) => epssPercentile !== null && epssPercentile >= from) ?? noPart;
}

/** Returns the part of the priority that follows from a scanner's facts. */
export function partOfFacts({ severity, cvss, inTests, fixAvailable }: FactInputs): Part {
  const base = cvss === null ? severityPoints[severity] : Math.round(cvss * pointsPerCvss);
  return {
    points: base + (inTests ? testPoints : 0) + (fixAvailable ? fixPoints : 0),
    bits:
      (cvss === null ? 0 : bitOf('cvss')) |
      (inTests ? bitOf('test_code') : 0) |
      (fixAvailable ? bitOf('fix_available') : 0),
  };
}

/**
 * Returns the priority of a finding, 0 to 100, and its reasons. It starts with 6 points for each point of CVSS or,
 * without CVSS, the points of its severity (critical 57, high 48, medium 33, low 18, info 3). A data source of low
 * criticality subtracts 10, high adds 10, critical 20, and a public one 15. Test code subtracts 25, and a known fix
 * adds 5. Known exploits add 40; otherwise the EPSS percentile adds 25, 15 or 5 (from 0.99, 0.95, 0.8).
 */
export function priorityOf(inputs: UrgencyInputs): { priority: number; reasons: PriorityReason[] } {
  const parts = [
    partOfFacts(inputs),
    partOfExploitation(inputs),
    criticalityParts[inputs.criticality],
    exposureParts[inputs.exposure],
  ];
  const points = parts.reduce((sum, part) => sum + part.points, 0);
  const bits = parts.reduce((all, part) => all | part.bits, 0);
  return {
    priority: Math.min(100, Math.max(0, points)),
    reasons: priorityReasons.filter((reason) => (bits & bitOf(reason)) !== 0),
  };
}

const caseOf = (column: string, parts: Record<string, Part>, of: keyof Part): string =>
  `CASE ${column} ${Object.entries(parts)
    .map(([value, part]) => `WHEN '${value}' THEN ${part[of]}`)
    .join(' ')} END`;

/** SQL for the points of a data source, from its columns. */
export const dataSourcePoints = `(${caseOf('criticality', criticalityParts, 'points')} + ${caseOf('exposure', exposureParts, 'points')})`;
/** SQL for the bits of its reasons. */
export const dataSourceBits = `(${caseOf('criticality', criticalityParts, 'bits')} | ${caseOf('exposure', exposureParts, 'bits')})`;

const ofExploitation = (row: string, of: keyof Part): string =>
  `CASE WHEN ${row}.kev IS NOT NULL THEN ${exploitedPart[of]} ${likelihoodParts
    .map((part) => `WHEN ${row}.epss_percentile >= ${part.from}::real THEN ${part[of]}`)
    .join(' ')} ELSE 0 END`;

/** SQL for the points and the bits of a row with `kev` and `epss_percentile`. */
export const exploitationPoints = (row: string): string => ofExploitation(row, 'points');
export const exploitationBits = (row: string): string => ofExploitation(row, 'bits');

/** SQL for the text of `priority_reasons`. */
export const reasonsJson = (bits: string): string =>
  `concat('[', ltrim(concat(${priorityReasons
    .map((reason) => `CASE WHEN ${bits} & ${bitOf(reason)} <> 0 THEN ',"${reason}"' END`)
    .join(', ')}), ','), ']')`;

/** Matches a CVE identifier in the form that feeds use. */
export const cvePattern = /^CVE-\d{4}-\d{4,19}$/;

/** Findings have one or a few; advisories on whole distributions name more. */
const maxCves = 100;

/** Returns the CVEs among identifiers, spelled like those in the feeds of known exploits; null if there are none. */
export function cvesOf(identifiers: string[]): string[] | null {
  const cves = new Set<string>();
  for (const identifier of identifiers) {
    // Most identifiers are of another kind.
    if (identifier.length < 13 || (identifier[0] !== 'C' && identifier[0] !== 'c')) continue;
    const cve = identifier.toUpperCase();
    if (cvePattern.test(cve)) cves.add(cve);
    if (cves.size === maxCves) break;
  }
  return cves.size === 0 ? null : [...cves];
}
