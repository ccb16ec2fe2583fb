import { type Severity, severities } from '@assay/scanner/contract/severity.ts';
import type { Logo } from '../branding/branding.ts';
import { accentColor } from '../labels.ts';
import { readMarkdown } from '../markdown.ts';
import { labelOf } from '../report-document.ts';
import { detailedFindings, type ReportFinding, type ReportHead } from '../report-model.ts';
import { wordingOf } from '../sentences/wording.ts';
import { actionBlocks } from './actions.ts';
import { appendixBlocks } from './appendix.ts';
import { auditFindingBlocks } from './audit-findings.ts';
import { type Block, type DocumentContent, heading, paragraph } from './blocks.ts';
import { changeBlocks } from './changes.ts';
import { type Choice, chooseCards } from './choose-cards.ts';
import { coverOf } from './cover.ts';
import { coverageBlocks } from './coverage.ts';
import { chartBlocks, numberBlocks } from './figures.ts';
import { type DetailsHead, findingDetails, type Limits } from './finding-details.ts';
import { findingsOf, groupFindings } from './groups.ts';
import { withOpenings } from './layout/openings.ts';
import { withoutSparsePages } from './layout/sections.ts';
import { mappingBlocks } from './mapping.ts';
import { registerBlocks } from './register.ts';
import { oldestBlocks, summaryBlocks } from './summary.ts';
import { type Targets, targetsOf } from './targets.ts';
import { lineOf } from './texts.ts';

/**
 * The maximum total weight of a document's findings; a finding of `usual` weight is never shortened. Typesetting 2,000
 * usual findings takes up to 1.8 GB of memory, whether their weight comes from long texts (three per byte) or from many
 * small parts.
 */
const budget = 40_000_000;
const usual = budget / detailedFindings;
const weightOf = (json: string) => 3 * Buffer.byteLength(json) + 200 * json.split('"kind"').length;

/** Limits in the order in which they are tried. With the last, every finding fits, with Markdown shown as written. */
const limits: Limits[] = [
  { markdown: true, text: 20_000, evidence: 8_000, comment: 2_000, comments: 20, references: 20, places: 10 },
  { markdown: true, text: 4_000, evidence: 2_000, comment: 1_000, comments: 20, references: 10, places: 10 },
  { markdown: true, text: 1_200, evidence: 800, comment: 300, comments: 5, references: 5, places: 5 },
  { markdown: false, text: 300, evidence: 300, comment: 150, comments: 2, references: 3, places: 3 },
];

/**
 * Returns the details of findings, within the budget for typesetting. If they exceed it, each finding may use the
 * budget that earlier ones left over; if that is too little, its texts are shortened, with a note.
 */
export const fittedDetails = (findings: ReportFinding[], head: DetailsHead): Block[][] =>
  wholeDetails(findings, head) ?? sharedDetails(findings, head);

/** Returns null if the findings exceed the total budget. */
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
 * Returns a lower bound of a finding's weight, to avoid parsing long texts in vain, which would take most of the time.
 */
function minWeight({ description, evidence, remediation }: ReportFinding, limit: Limits): number {
  const texts = Math.min(description.length, limit.text) + Math.min(remediation?.length ?? 0, limit.text);
  return 3 * (texts + Math.min(evidence?.length ?? 0, limit.evidence));
}

/** With more findings, the contents list only their groups; the outline of the PDF lists them all. */
const findingsInContents = 40;
/** The maximum number of changed findings of each kind in a document. */
const changesInFull = 6;
const changesInShort = 3;

/** The operator's additions: the URL of the console, for links to findings, and a logo. */
type Additions = { baseUrl?: string | null | undefined; logo?: Logo | null };

/** Returns the content of the document, the same for every format: a pure function of the report and the additions. */
export function documentOf(
  head: ReportHead,
  findings: ReportFinding[],
  { baseUrl = null, logo = null }: Additions = {},
): DocumentContent {
  const organization = lineOf(head.organization.name, 80);
  const { document } = head;
  const { contentsDepth: depth, blocks } = bodyOf(head, findings, baseUrl);
  return {
    id: head.id,
    snapshotSha256: head.snapshot_sha256,
    title: lineOf(head.title, 120),
    organization,
    takenAt: head.taken_at,
    state: wordingOf(head).say(`document_state.${head.approval.state}`),
    author: authorOf(head),
    version: lineOf(document.version, 40),
    label: labelOf(document.classification),
    language: document.language,
    paper: document.paper,
    accent: document.accent_color ?? accentColor,
    footer: footerOf(head, organization),
    logo,
    cover: coverOf(head),
    contentsDepth: depth,
    blocks: withOpenings(withoutSparsePages(blocks, document.paper)),
  };
}

/** Returns the author of the document, for its file properties. */
function authorOf({ document, created_by: by, scheduled_report_id: schedule, title }: ReportHead): string {
  const own = document.author ?? (schedule === null ? by?.name : null);
  return lineOf(own || (schedule === null ? 'Assay' : `Assay, scheduled report ${title}`), 120);
}

function footerOf(head: ReportHead, organization: string): string {
  const { classification, footer } = head.document;
  const { say } = wordingOf(head);
  const line = footer ?? say('footer.recipients', { organization });
  // A label is shown beside it.
  if (labelOf(classification)) return lineOf(line, 200);
  return lineOf(`${classification ?? say('footer.confidential')} · ${line}`, 200);
}

function bodyOf(
  head: ReportHead,
  findings: ReportFinding[],
  baseUrl: string | null,
): Pick<DocumentContent, 'contentsDepth' | 'blocks'> {
  if (head.template === 'executive')
    return { contentsDepth: 0, blocks: executiveBlocks(head, targetsOf(new Map(), baseUrl, head.finding_numbers)) };
  if (head.template === 'audit') return auditBody(head, findings, baseUrl);
  const targets = targetsOf(new Map(findings.map(({ id }) => [id, id])), baseUrl, head.finding_numbers);
  return {
    contentsDepth: findings.length <= findingsInContents ? 3 : 2,
    blocks: [
      ...ownSection(head, 'foreword'),
      ...overviewBlocks(head, targets),
      ...detailedFindingBlocks(head, findings, targets),
      ...ownSection(head, 'conclusion'),
      ...appendixBlocks(head),
    ],
  };
}

/** Returns an audit. Its problems share the pages that the other blocks leave. */
function auditBody(
  head: ReportHead,
  findings: ReportFinding[],
  baseUrl: string | null,
): Pick<DocumentContent, 'contentsDepth' | 'blocks'> {
  const [foreword, conclusion] = [ownSection(head, 'foreword'), ownSection(head, 'conclusion')];
  const appendix = appendixBlocks(head);
  const around = targetsOf(new Map(), baseUrl, head.finding_numbers);
  const charts = chartBlocks(head);
  const others = [...overviewBlocks(head, around, charts), ...appendix];
  const choice = chooseCards(groupFindings(findings), head, around, others);
  const targets = targetsOf(headingsIn(choice), baseUrl, head.finding_numbers);
  return {
    contentsDepth: 2,
    blocks: [
      ...foreword,
      ...overviewBlocks(head, targets, charts),
      ...auditFindingBlocks(head, choice, targets),
      ...conclusion,
      ...appendix,
    ],
  };
}

/** Returns the sections before the findings. */
const overviewBlocks = (head: ReportHead, targets: Targets, charts = chartBlocks(head)): Block[] => [
  ...summaryBlocks(head, targets),
  ...actionBlocks(head, targets),
  ...changeBlocks(head, targets, changesInFull),
  ...coverageBlocks(head, { inShort: false }),
  ...charts,
  ...numberBlocks(head),
  ...(head.template === 'audit' ? [] : oldestBlocks(head, targets)),
  ...registerBlocks(head, targets),
  ...mappingBlocks(head, targets),
];

/** Returns at most six pages including the cover: conclusions from the findings, but no findings. */
function executiveBlocks(head: ReportHead, targets: Targets): Block[] {
  return [
    ...ownSection(head, 'foreword'),
    ...summaryBlocks(head, targets),
    ...actionBlocks(head, targets),
    ...changeBlocks(head, targets, changesInShort),
    ...coverageBlocks(head, { inShort: true }),
    ...chartBlocks(head, ['severity', 'source', 'weekly', 'age']),
    ...ownSection(head, 'conclusion'),
  ];
}

/** Maps each finding to its card; findings in short form link to the console. */
const headingsIn = ({ cards }: Choice): Map<string, string> =>
  new Map(cards.flatMap(({ group }) => findingsOf(group).map(({ id }) => [id, group.id] as const)));

/** Returns a section that the author of the report wrote. */
function ownSection(head: ReportHead, id: 'foreword' | 'conclusion'): Block[] {
  const markdown = head.document[id];
  if (markdown === null) return [];
  const title = wordingOf(head).say(`heading.${id}`);
  // The findings before a conclusion may end with a line on a separate page.
  const newPage = id === 'foreword';
  return [heading(1, id, title, { newPage }), { kind: 'markdown', label: null, blocks: readMarkdown(markdown) }];
}

/**
 * Returns the findings that a document details. The rest is read and discarded, so that the sender does not write to a
 * closed stream.
 */
export async function readDetailed(batches: AsyncIterable<ReportFinding[]>): Promise<ReportFinding[]> {
  const detailed: ReportFinding[] = [];
  for await (const batch of batches) detailed.push(...batch.slice(0, Math.max(0, detailedFindings - detailed.length)));
  return detailed;
}

/** Returns the findings with all their details, by severity; a severity without findings has no heading. */
function detailedFindingBlocks(head: ReportHead, findings: ReportFinding[], targets: Targets): Block[] {
  const details = fittedDetails(findings, { ...head, targets });
  const bySeverity = Map.groupBy(details.keys(), (index) => findings[index]!.severity);
  return [
    heading(1, 'findings', wordingOf(head).say('heading.findings'), { newPage: head.summary.total > 0 }),
    ...orderNotes(head, findings.length),
    ...severities
      .filter((severity) => head.summary.by_severity[severity] > 0)
      .flatMap((severity) => {
        const shown = bySeverity.get(severity) ?? [];
        return [...severityHeading(head, severity, shown.length), ...shown.flatMap((index) => details[index]!)];
      }),
  ];
}

/** Returns the heading of a severity and the number of its findings that follow. */
function severityHeading(head: ReportHead, severity: Severity, shown: number): Block[] {
  const { say, severity: nameOf } = wordingOf(head);
  const all = head.summary.by_severity[severity];
  const cut = shown === 0 ? say('findings.details_in_csv') : say('findings.first_shown', { n: shown });
  const values = { n: all, open: head.open_by_severity[severity], rest: shown === all ? '' : cut };
  const title = say('heading.severity_findings', { severity: nameOf(severity), n: all });
  return [
    heading(2, `severity_${severity}`, title, { severity }),
    paragraph(say('findings.of_severity', values), 'note'),
  ];
}

/** Returns the paragraphs before the findings: their order, and where the rest is. */
function orderNotes(head: ReportHead, detailed: number): Block[] {
  const { say } = wordingOf(head);
  const { total } = head.summary;
  if (total === 0) return [paragraph(say('findings.none'))];
  const order = paragraph(say('findings.order'));
  if (detailed >= total) return [order];
  return [order, paragraph(say('findings.detailed', { total, n: detailed, id: head.id }))];
}
