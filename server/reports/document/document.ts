import type { Logo } from '../branding/branding.ts';
import { accentColor } from '../labels.ts';
import { readMarkdown } from '../markdown.ts';
import { detailedFindings, type ReportFinding, type ReportHead } from '../report-model.ts';
import { wordingOf } from '../sentences/wording.ts';
import { actionBlocks } from './actions.ts';
import { appendixBlocks } from './appendix.ts';
import { auditFindingBlocks } from './audit-findings.ts';
import { type Block, type DocumentContent, heading } from './blocks.ts';
import { changeBlocks } from './changes.ts';
import { type Choice, chooseCards } from './choose-cards.ts';
import { coverOf } from './cover.ts';
import { coverageBlocks } from './coverage.ts';
import { detailedFindingBlocks } from './detailed-findings.ts';
import { chartBlocks, numberBlocks } from './figures.ts';
import { findingsOf, groupFindings } from './groups.ts';
import { withOpenings } from './layout/openings.ts';
import { mappingBlocks } from './mapping.ts';
import { registerBlocks } from './register.ts';
import { oldestBlocks, summaryBlocks } from './summary.ts';
import { type Targets, targetsOf } from './targets.ts';
import { lineOf } from './texts.ts';

/** With more findings, the contents list only their groups; the outline of the PDF lists them all. */
const findingsInContents = 40;
/** The number of changed findings of each kind that a document lists. */
const changesInFull = 6;
const changesInShort = 3;

/** What the operator adds: the URL of the console, for links to findings, and a logo. */
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
    language: document.language,
    paper: document.paper,
    accent: document.accent_color ?? accentColor,
    footer: footerOf(head, organization),
    logo,
    cover: coverOf(head),
    contentsDepth: depth,
    blocks: withOpenings(blocks),
  };
}

function footerOf(head: ReportHead, organization: string): string {
  const { classification, footer } = head.document;
  const { say } = wordingOf(head);
  const line = footer ?? say('footer.recipients', { organization });
  return lineOf(`${classification ?? say('footer.confidential')} · ${line}`, 200);
}

function bodyOf(
  head: ReportHead,
  findings: ReportFinding[],
  baseUrl: string | null,
): Pick<DocumentContent, 'contentsDepth' | 'blocks'> {
  if (head.template === 'executive')
    return { contentsDepth: 0, blocks: executiveBlocks(head, targetsOf(new Map(), baseUrl)) };
  if (head.template === 'audit') return auditBody(head, findings, baseUrl);
  const targets = targetsOf(new Map(findings.map(({ id }) => [id, id])), baseUrl);
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
  const around = targetsOf(new Map(), baseUrl);
  const charts = chartBlocks(head);
  const others = [...overviewBlocks(head, around, charts), ...appendix];
  const choice = chooseCards(groupFindings(findings), head, around, others);
  const targets = targetsOf(headingsIn(choice), baseUrl, numbersIn(choice));
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

/** Returns what comes before the findings. */
const overviewBlocks = (head: ReportHead, targets: Targets, charts = chartBlocks(head)): Block[] => [
  ...summaryBlocks(head, targets),
  ...actionBlocks(head, targets),
  ...changeBlocks(head, targets, changesInFull),
  ...coverageBlocks(head, { inShort: false }),
  ...charts,
  ...numberBlocks(head),
  ...(head.template === 'audit' ? [] : oldestBlocks(head, targets)),
  ...registerBlocks(head, targets),
  ...mappingBlocks(head),
];

/** Returns at most six pages with the cover: no findings, only what follows from them. */
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

/** Returns the card that leads to each finding; one in short has its page in the console. */
const headingsIn = ({ cards }: Choice): Map<string, string> =>
  new Map(cards.flatMap(({ group }) => findingsOf(group).map(({ id }) => [id, group.id] as const)));

const numbersIn = ({ cards, short }: Choice): Map<string, string> =>
  new Map(
    [...cards.map(({ group }) => group), ...short].flatMap(({ rows }) =>
      rows.flat().map(({ number, finding }) => [finding.id, number] as const),
    ),
  );

/** Returns a section that the author of the report wrote. */
function ownSection(head: ReportHead, id: 'foreword' | 'conclusion'): Block[] {
  const markdown = head.document[id];
  if (markdown === null) return [];
  const title = wordingOf(head).say(`heading.${id}`);
  return [heading(1, id, title, { newPage: true }), { kind: 'markdown', label: null, blocks: readMarkdown(markdown) }];
}

/**
 * Returns the findings that a document details. The others are read and dropped, so that the sender does not write to a
 * closed stream.
 */
export async function readDetailed(batches: AsyncIterable<ReportFinding[]>): Promise<ReportFinding[]> {
  const detailed: ReportFinding[] = [];
  for await (const batch of batches) detailed.push(...batch.slice(0, Math.max(0, detailedFindings - detailed.length)));
  return detailed;
}
