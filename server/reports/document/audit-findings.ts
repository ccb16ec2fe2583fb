import { isOpen } from '../../findings/lifecycle.ts';
import { severities } from '../../findings/severity.ts';
import { shorten } from '../plain-text.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import { type Block, heading, paragraph, type Row, table, text } from './blocks.ts';
import { cardBlocks, titleOf } from './card.ts';
import { findingsOf, type Group, numbersOf } from './groups.ts';
import type { Targets } from './targets.ts';

/** Longer titles would take two lines. */
const maxIndexTitle = 85;

/** Returns the findings as an index and a card for each package or rule, by severity. */
export function auditFindingBlocks(head: ReportHead, groups: Group[], targets: Targets): Block[] {
  const words = wordingOf(head);
  const { say } = words;
  const { total } = head.summary;
  const detailed = groups.reduce((sum, group) => sum + findingsOf(group).length, 0);
  const start = heading(1, 'findings', say('heading.findings'));
  if (total === 0) return [start, paragraph(say('findings.none'))];
  return [
    start,
    paragraph(introduction(head, groups.length, detailed)),
    heading(2, 'index', say('heading.index')),
    ...index(groups, words),
    ...severities.flatMap((severity) => {
      const own = groups.filter((group) => group.severity === severity);
      if (own.length === 0) return [];
      const title = say('heading.severity_problems', { severity: words.severity(severity), n: own.length });
      return [
        heading(2, `severity_${severity}`, title, { severity }),
        ...own.flatMap((group) => cardBlocks(group, head, targets)),
      ];
    }),
  ];
}

function introduction(head: ReportHead, problems: number, detailed: number): string {
  const { total } = head.summary;
  const key = detailed < total ? 'findings.some_shown' : 'findings.all_shown';
  return wordingOf(head).say(key, { total, n: detailed, problems, id: head.id });
}

/** Returns a table for each severity. */
const index = (groups: Group[], words: Wording): Block[] =>
  [...Map.groupBy(groups, ({ severity }) => severity)].map(([severity, own]) =>
    table({
      caption: words.say('findings.index_caption', { severity: words.severity(severity) }),
      description: words.say('findings.index_description', { severity: words.severity(severity) }),
      dense: true,
      tight: true,
      columns: [
        { label: words.say('column.number'), width: { mm: 24 } },
        { label: words.say('column.problem'), width: { share: 1 } },
        { label: words.say('column.findings'), width: { mm: 15 }, align: 'right' },
        { label: words.say('column.open'), width: { mm: 12 }, align: 'right' },
      ],
      rows: own.map((group) => indexRow(group, words)),
    }),
  );

function indexRow(group: Group, words: Wording): Row {
  const findings = findingsOf(group);
  return {
    cells: [
      [text(numbersOf(group.rows.flat()))],
      [{ kind: 'goto', target: group.id, text: shorten(titleOf(group, words), maxIndexTitle) }],
      [text(words.number(findings.length))],
      [text(words.number(findings.filter(({ status }) => isOpen(status)).length))],
    ],
  };
}
