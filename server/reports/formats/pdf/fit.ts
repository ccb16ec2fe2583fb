import { detailedFindings, type ReportFinding } from '../../report-model.ts';
import { type Limits, type PrintedFinding, printFinding } from './finding.ts';

/**
 * What the findings of a document may weigh together; one of `usual` weight is never shortened. 2,000 usual ones are
 * set within 1.8 GB of memory, whether they weigh by long texts (three for each byte) or by many small parts.
 */
const budget = 40_000_000;
const usual = budget / detailedFindings;
const weightOf = (json: string) => 3 * Buffer.byteLength(json) + 200 * json.split('"kind"').length;

/** Tried in this order. The last makes every finding a usual one: Markdown is shown as it is written. */
const limits: Limits[] = [
  { markdown: true, text: 20_000, evidence: 8_000, comment: 2_000, comments: 20, references: 20, places: 10 },
  { markdown: true, text: 4_000, evidence: 2_000, comment: 1_000, comments: 20, references: 10, places: 10 },
  { markdown: true, text: 1_200, evidence: 800, comment: 300, comments: 5, references: 5, places: 5 },
  { markdown: false, text: 300, evidence: 300, comment: 150, comments: 2, references: 3, places: 3 },
];

/**
 * Prepares findings for the page, so that all of them together have a size that can be set: one takes what the ones
 * before it left over, and where that is too little its texts are shortened, which the page tells.
 */
export function printFindings(findings: ReportFinding[], sourceNames: Record<string, string>): PrintedFinding[] {
  let left = budget;
  return findings.map((finding, index) => {
    const share = Math.max(usual, left / (findings.length - index));
    const { printed, weight } = printWithin(finding, sourceNames, share);
    left -= weight;
    return printed;
  });
}

function printWithin(finding: ReportFinding, sourceNames: Record<string, string>, share: number) {
  for (const limit of limits) {
    if (limit !== limits.at(-1) && leastWeight(finding, limit) > share) continue;
    const printed = printFinding(finding, sourceNames, limit);
    const weight = weightOf(JSON.stringify(printed));
    if (weight <= share || limit === limits.at(-1)) return { printed, weight };
  }
  throw new RangeError('There is always a last limit.');
}

/** What its long texts weigh at least: reading them in vain would take most of the time. */
function leastWeight({ description, evidence, remediation }: ReportFinding, limit: Limits): number {
  const texts = Math.min(description.length, limit.text) + Math.min(remediation?.length ?? 0, limit.text);
  return 3 * (texts + Math.min(evidence?.length ?? 0, limit.evidence));
}
