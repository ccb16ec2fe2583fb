import { detailedFindings, type ReportFinding } from '../report-model.ts';
import type { Block } from './blocks.ts';
import { type DetailsHead, findingDetails, type Limits } from './finding-details.ts';

/**
 * The maximum weight of all findings of a document together; a finding of `usual` weight is never shortened. 2,000
 * usual ones are typeset within 1.8 GB of memory, whether their weight comes from long texts (three for each byte) or
 * from many small parts.
 */
const budget = 40_000_000;
const usual = budget / detailedFindings;
const weightOf = (json: string) => 3 * Buffer.byteLength(json) + 200 * json.split('"kind"').length;

/** Limits in the order in which they are tried. The last makes every finding fit, with Markdown shown as written. */
const limits: Limits[] = [
  { markdown: true, text: 20_000, evidence: 8_000, comment: 2_000, comments: 20, references: 20, places: 10 },
  { markdown: true, text: 4_000, evidence: 2_000, comment: 1_000, comments: 20, references: 10, places: 10 },
  { markdown: true, text: 1_200, evidence: 800, comment: 300, comments: 5, references: 5, places: 5 },
  { markdown: false, text: 300, evidence: 300, comment: 150, comments: 2, references: 3, places: 3 },
];

/**
 * Returns the details of findings, so that all of them together can be typeset. If they exceed the budget together, each may
 * use what the ones before it left over; where that is too little, its texts are shortened, with a note.
 */
export const fittedDetails = (findings: ReportFinding[], head: DetailsHead): Block[][] =>
  wholeDetails(findings, head) ?? sharedDetails(findings, head);

/** Returns null if the findings exceed the budget together. */
function wholeDetails(findings: ReportFinding[], head: DetailsHead): Block[][] | null {
  const [limit] = limits as [Limits];
  const details: Block[][] = [];
  let left = budget;
  for (const finding of findings) {
    if (minWeight(finding, limit) > left) return null;
    const blocks = findingDetails(finding, head, limit);
    left -= weightOf(JSON.stringify(blocks));
    if (left < 0) return null;
    details.push(blocks);
  }
  return details;
}

function sharedDetails(findings: ReportFinding[], head: DetailsHead): Block[][] {
  let left = budget;
  return findings.map((finding, index) => {
    const share = Math.max(usual, left / (findings.length - index));
    const { blocks, weight } = detailsWithin(finding, head, share);
    left -= weight;
    return blocks;
  });
}

function detailsWithin(finding: ReportFinding, head: DetailsHead, share: number) {
  for (const limit of limits) {
    if (limit !== limits.at(-1) && minWeight(finding, limit) > share) continue;
    const blocks = findingDetails(finding, head, limit);
    const weight = weightOf(JSON.stringify(blocks));
    if (weight <= share || limit === limits.at(-1)) return { blocks, weight };
  }
  throw new RangeError('There is always a last limit.');
}

/**
 * Returns a lower bound of a finding's weight, so that long texts are not read in vain, which would take most of the
 * time.
 */
function minWeight({ description, evidence, remediation }: ReportFinding, limit: Limits): number {
  const texts = Math.min(description.length, limit.text) + Math.min(remediation?.length ?? 0, limit.text);
  return 3 * (texts + Math.min(evidence?.length ?? 0, limit.evidence));
}
