import type { RegisterEntry } from '../analysis/analysis-model.ts';
import { fittedText } from '../charts/text-width.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import { type Block, type Column, type Inline, note, paragraph, severityBadge, strong, table, text } from './blocks.ts';
import { findingInline, type Targets } from './targets.ts';
import { lineOf, shortened } from './texts.ts';

const maxReason = 400;
/** Of a reason that several findings share. */
const maxSharedReason = 1_000;
const fontSize = 7;
/** Widths of columns in millimetres, on A4. */
const textWidth = 176;
const widths = { severity: 15, source: 34, by: 24, on: 17, reason: 42, until: 17 };

/** Letters of a single line in a column: in points, without the space beside the text. */
const fit = (value: string, millimetres: number) => fittedText(value, fontSize, (millimetres * 72) / 25.4 - 6);

/** Returns a decision on several findings: who, when, until when and why, then a line for each finding. */
export function togetherBlocks(members: RegisterEntry[], head: ReportHead, targets: Targets): Block[] {
  const words = wordingOf(head);
  const { say } = words;
  const first = members[0]!;
  const until = first.status === 'accepted_risk' ? say('register.with_end', { until: endOf(first, words) }) : '';
  const decided = say('register.decided', {
    n: members.length,
    by: deciderOf(first, words),
    on: dayOf(first, words),
    until,
  });
  const titleWidth = textWidth - widths.severity - widths.source;
  return [
    {
      kind: 'together',
      withNext: true,
      blocks: [paragraph([strong(decided), text(` ${reasonOf(first, maxSharedReason, words)}`)], 'small')],
    },
    table({
      caption: null,
      description: say('register.together_description'),
      dense: true,
      tight: true,
      columns: [
        { label: say('column.severity'), width: { mm: widths.severity } },
        { label: say('column.finding'), width: { share: 1 } },
        { label: say('column.data_source'), width: { mm: widths.source } },
      ],
      rows: members.map((entry) => ({
        lines: 1,
        cells: [
          [text(words.severity(entry.severity))],
          [findingInline(entry.id, fit(lineOf(entry.title, 200), titleWidth), targets)],
          [text(fit(lineOf(entry.data_source.name, 60), widths.source))],
        ],
      })),
    }),
  ];
}

/** Returns decisions on single findings, with their reasons. */
export function aloneTable(entries: RegisterEntry[], head: ReportHead, targets: Targets): Block {
  const words = wordingOf(head);
  return table({
    caption: null,
    description: words.say('register.description'),
    dense: true,
    tight: true,
    columns: columnsOf(entries, [{ label: words.say('column.finding'), width: { share: 1.6 } }], { share: 1 }, words),
    rows: entries.map((entry) => ({
      cells: [
        [
          severityBadge(entry.severity),
          text('  '),
          findingInline(entry.id, lineOf(entry.title, 120), targets),
          note(`  ${lineOf(entry.data_source.name, 60)}`),
        ],
        ...decisionCells(entry, (value) => value, reasonOf(entry, maxReason, words), words),
      ],
    })),
  });
}

/** Returns decisions in a line each, with the beginnings of title and reason. */
export function lineTable(entries: RegisterEntry[], head: ReportHead, targets: Targets): Block {
  const words = wordingOf(head);
  const hasEnd = entries[0]?.status === 'accepted_risk';
  const titleWidth = textWidth - widths.severity - widths.by - widths.on - widths.reason - (hasEnd ? widths.until : 0);
  const columns: Column[] = [
    { label: words.say('column.severity'), width: { mm: widths.severity } },
    { label: words.say('column.finding'), width: { share: 1 } },
  ];
  return table({
    caption: null,
    description: words.say('register.description'),
    dense: true,
    tight: true,
    columns: columnsOf(entries, columns, { mm: widths.reason }, words),
    rows: entries.map((entry) => ({
      lines: 1,
      cells: [
        [text(words.severity(entry.severity))],
        [findingInline(entry.id, fit(lineOf(entry.title, 200), titleWidth), targets)],
        ...decisionCells(
          entry,
          (value) => fit(value, widths.by),
          fit(reasonOf(entry, maxReason, words), widths.reason),
          words,
        ),
      ],
    })),
  });
}

const columnsOf = (entries: RegisterEntry[], first: Column[], reason: Column['width'], { say }: Wording): Column[] => [
  ...first,
  { label: say('column.decided_by'), width: { mm: widths.by } },
  { label: say('column.on'), width: { mm: widths.on } },
  { label: say('column.reason'), width: reason },
  ...(entries[0]?.status === 'accepted_risk' ? [{ label: say('column.until'), width: { mm: widths.until } }] : []),
];

const decisionCells = (
  entry: RegisterEntry,
  shorten: (name: string) => string,
  reason: string,
  words: Wording,
): Inline[][] => [
  [text(shorten(deciderOf(entry, words)))],
  [text(dayOf(entry, words))],
  [text(reason)],
  ...(entry.status === 'accepted_risk' ? [[text(endOf(entry, words))]] : []),
];

/** A decision without a person comes from a file: a suppression in the code, or one that a tool wrote. */
const deciderOf = ({ decided_by: by, decided_at: at }: RegisterEntry, { say }: Wording): string =>
  by ? lineOf(by.name, 60) : say(at === null ? 'not_known' : 'register.by_file');

const dayOf = ({ decided_at: at }: RegisterEntry, { say, date }: Wording): string => (at ? date(at) : say('not_known'));

const endOf = ({ accepted_until: until }: RegisterEntry, { say, date }: Wording): string =>
  until ? date(until) : say('register.endless');

const reasonOf = ({ reason }: RegisterEntry, max: number, { say }: Wording): string =>
  reason ? shortened(lineOf(reason, 1_000), max) : say('register.no_reason_given');
