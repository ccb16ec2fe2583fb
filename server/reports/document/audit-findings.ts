import { severities } from '@assay/scanner/contract/severity.ts';
import { isOpen } from '../../findings/lifecycle.ts';
import { fittedText } from '../charts/text-width.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import { type Block, heading, paragraph, type Row, table, text } from './blocks.ts';
import { cardBlocks, titleOf } from './card.ts';
import type { Choice } from './choose-cards.ts';
import { findingsOf, type Group, numbersOf } from './groups.ts';
import { shortBlocks } from './short-rows.ts';
import type { Targets } from './targets.ts';

/** The widths of columns in millimeters; the problem column takes the rest of the 176 mm of A4. */
const widths = { number: 24, findings: 15, open: 12 };
const fontSize = 7;
/** Sections with this many cards start a page; Typst lays out the parts between page breaks in parallel. */
const manyCards = 15;
/** In points, without the padding. */
const problemWidth = ((176 - widths.number - widths.findings - widths.open) * 72) / 25.4 - 6;

/**
 * Returns the findings: an index, a card for each important problem (a package or a rule), by severity, and a row for
 * each remaining problem.
 */
export function auditFindingBlocks(head: ReportHead, choice: Choice, targets: Targets): Block[] {
  const words = wordingOf(head);
  const { say } = words;
  const start = heading(1, 'findings', say('heading.findings'));
  if (head.summary.total === 0) return [start, paragraph(say('findings.none'))];
  const { cards, short } = choice;
  return [
    start,
    paragraph(introduction(head, choice)),
    ...(short.length > 0 && cards.length > 0 ? [paragraph(chosenSentence(head, choice))] : []),
    ...(cards.length > 0 ? [heading(2, 'index', say('heading.index'))] : []),
    ...index(
      cards.map(({ group }) => group),
      words,
    ),
    ...severities.flatMap((severity) => {
      const own = cards.filter(({ group }) => group.severity === severity);
      if (own.length === 0) return [];
      const inShort = short.filter((group) => group.severity === severity).length;
      const title = say('heading.severity_problems', { severity: words.severity(severity), n: own.length + inShort });
      return [
        heading(2, `severity_${severity}`, title, { severity, newPage: own.length >= manyCards }),
        ...(inShort > 0 ? [paragraph(say('findings.with_card', { n: own.length, short: inShort }), 'note')] : []),
        ...own.flatMap(({ group, maxRows }) => cardBlocks(group, head, targets, maxRows)),
      ];
    }),
    ...shortBlocks(choice, head, targets),
  ];
}

const countOf = (groups: Group[]) => groups.reduce((sum, group) => sum + findingsOf(group).length, 0);

function introduction(head: ReportHead, { cards, short }: Choice): string {
  const { total } = head.summary;
  const groups = [...cards.map(({ group }) => group), ...short];
  const detailed = countOf(groups);
  const key = detailed < total ? 'findings.some_shown' : 'findings.all_shown';
  return wordingOf(head).say(key, { total, n: detailed, problems: groups.length, id: head.id });
}

/** Explains which problems have a card, and where the others are. */
function chosenSentence(head: ReportHead, { cards, short }: Choice): string {
  return wordingOf(head).say('findings.chosen', { n: cards.length, short: short.length });
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
        { label: words.say('column.number'), width: { mm: widths.number } },
        { label: words.say('column.problem'), width: { share: 1 } },
        { label: words.say('column.findings'), width: { mm: widths.findings }, align: 'right' },
        { label: words.say('column.open'), width: { mm: widths.open }, align: 'right' },
      ],
      rows: own.map((group) => indexRow(group, words)),
    }),
  );

function indexRow(group: Group, words: Wording): Row {
  const findings = findingsOf(group);
  return {
    lines: 1,
    cells: [
      [text(numbersOf(group.rows.flat()))],
      [{ kind: 'goto', target: group.id, text: fittedText(titleOf(group, words), fontSize, problemWidth) }],
      [text(words.number(findings.length))],
      [text(words.number(findings.filter(({ status }) => isOpen(status)).length))],
    ],
  };
}
