import { accentColor } from '../labels.ts';
import { readMarkdown } from '../markdown.ts';
import type { ReportFinding, ReportHead } from '../report-model.ts';
import { actionBlocks } from './actions.ts';
import { appendixBlocks } from './appendix.ts';
import { auditFindingBlocks } from './audit-findings.ts';
import { type Block, type DocumentContent, heading } from './blocks.ts';
import { changeBlocks } from './changes.ts';
import { coverOf } from './cover.ts';
import { coverageBlocks } from './coverage.ts';
import { detailedFindingBlocks } from './detailed-findings.ts';
import { chartBlocks, numberBlocks } from './figures.ts';
import { findingsOf, type Group, groupFindings } from './groups.ts';
import { mappingBlocks } from './mapping.ts';
import { withOpenings } from './openings.ts';
import { registerBlocks } from './register.ts';
import { oldestBlocks, summaryBlocks } from './summary.ts';
import { lineOf } from './texts.ts';

/** With more findings, the contents list only their groups; the outline of the PDF lists them all. */
const findingsInContents = 40;
/** The number of changed findings of each kind that a document lists. */
const changesInFull = 6;
const changesInShort = 3;

/** Returns the content of the document, the same for every format: a pure function of the report. */
export function documentOf(head: ReportHead, findings: ReportFinding[]): DocumentContent {
  const organization = lineOf(head.organization.name, 80);
  const { document } = head;
  const { contentsDepth: depth, blocks } = bodyOf(head, findings);
  return {
    id: head.id,
    snapshotSha256: head.snapshot_sha256,
    title: lineOf(head.title, 120),
    organization,
    takenAt: head.taken_at,
    paper: document.paper,
    accent: document.accent_color ?? accentColor,
    footer: footerOf(head, organization),
    cover: coverOf(head),
    contentsDepth: depth,
    blocks: withOpenings(blocks),
  };
}

function footerOf({ document }: ReportHead, organization: string): string {
  const words = document.footer ?? `For ${organization} and its authorized recipients.`;
  return lineOf(`${document.classification ?? 'Confidential'} · ${words}`, 200);
}

function bodyOf(head: ReportHead, findings: ReportFinding[]): Pick<DocumentContent, 'contentsDepth' | 'blocks'> {
  if (head.template === 'executive') return { contentsDepth: 0, blocks: executiveBlocks(head) };
  const isAudit = head.template === 'audit';
  const groups = isAudit ? groupFindings(findings) : [];
  const targets = isAudit ? targetsIn(groups) : new Map(findings.map(({ id }) => [id, id]));
  return {
    contentsDepth: !isAudit && findings.length <= findingsInContents ? 3 : 2,
    blocks: [
      ...ownSection('foreword', 'Foreword', head.document.foreword),
      ...summaryBlocks(head, targets),
      ...actionBlocks(head, targets),
      ...changeBlocks(head, targets, changesInFull),
      ...coverageBlocks(head, { inShort: false }),
      ...chartBlocks(head),
      ...numberBlocks(head),
      ...(isAudit ? [] : oldestBlocks(head, targets)),
      ...registerBlocks(head, targets),
      ...mappingBlocks(head),
      ...(isAudit ? auditFindingBlocks(head, groups) : detailedFindingBlocks(head, findings)),
      ...ownSection('conclusion', 'Conclusion', head.document.conclusion),
      ...appendixBlocks(head),
    ],
  };
}

/** Returns at most six pages with the cover: no findings, only what follows from them. */
function executiveBlocks(head: ReportHead): Block[] {
  const targets = new Map<string, string>();
  return [
    ...ownSection('foreword', 'Foreword', head.document.foreword),
    ...summaryBlocks(head, targets),
    ...actionBlocks(head, targets),
    ...changeBlocks(head, targets, changesInShort),
    ...coverageBlocks(head, { inShort: true }),
    ...chartBlocks(head, ['severity', 'source', 'weekly', 'age']),
    ...ownSection('conclusion', 'Conclusion', head.document.conclusion),
  ];
}

/** Returns the heading that leads to each finding. */
const targetsIn = (groups: Group[]): Map<string, string> =>
  new Map(groups.flatMap((group) => findingsOf(group).map(({ id }) => [id, group.id] as const)));

/** Returns a section that the author of the report wrote. */
const ownSection = (id: string, title: string, markdown: string | null): Block[] =>
  markdown === null
    ? []
    : [heading(1, id, title, { newPage: true }), { kind: 'markdown', label: null, blocks: readMarkdown(markdown) }];
