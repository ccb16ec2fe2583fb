import type { RegisterEntry } from '../analysis-model.ts';
import { fittedEnd, fittedText, textWidth } from '../charts/text-width.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import {
  type Block,
  type Column,
  type Inline,
  lettersOf,
  note,
  paragraph,
  severityBadge,
  strong,
  table,
  text,
} from './blocks.ts';
import { namedFinding, numberOf, titleAndPlace } from './named-finding.ts';
import { findingInline, type Targets } from './targets.ts';
import { lineOf, shortened } from './texts.ts';

const maxReason = 400;
/** The maximum length of a reason that several findings share. */
const maxSharedReason = 1_000;
const fontSize = 7;
/** Widths of columns in millimeters, on A4. */
const fullWidth = 176;
const widths = { severity: 19, source: 34, by: 24, on: 17, reason: 42, until: 17 };

/** In a narrower column, in millimeters, the number replaces the place. */
const minForPlace = 90;
/** The maximum number of findings listed in a shared row. */
const shownAlike = 5;

/** The text width of a column in points, without padding. */
const pointsIn = (millimetres: number) => (millimetres * 72) / 25.4 - 6;
const fit = (value: string, millimetres: number) => fittedText(value, fontSize, pointsIn(millimetres));

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
  const titleWidth = fullWidth - widths.severity - widths.source;
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
      rows: [...Map.groupBy(members, alike).values()].map((entries) => ({
        ...(entries.length === 1 ? { lines: 1 } : {}),
        cells: [
          [text(words.severity(entries[0]!.severity))],
          entries.length === 1 ? inLine(entries[0]!, titleWidth, targets) : alikeInlines(entries, targets, words),
          [text(fit(lineOf(entries[0]!.data_source.name, 60), widths.source))],
        ],
      })),
    }),
  ];
}

/** Findings of one decision with the same title share a row. */
const alike = ({ severity, title, data_source: { id } }: RegisterEntry): string =>
  JSON.stringify([severity, title, id]);

/** Returns the title of such findings, their count, and the numbers and places of the first ones. */
function alikeInlines(entries: RegisterEntry[], targets: Targets, { say }: Wording): Inline[] {
  const others = entries.length - shownAlike;
  return [
    strong(lineOf(entries[0]!.title, 120)),
    text(say('register.alike', { n: entries.length })),
    ...entries
      .slice(0, shownAlike)
      .flatMap(({ id, place }, index) => [
        ...(index > 0 ? [text(', ')] : []),
        findingInline(id, [targets.number(id), place].filter((part) => part).join(' ') || id, targets),
      ]),
    ...(others > 0 ? [text(say('place.more', { n: others }))] : []),
  ];
}

/**
 * Returns a finding in one line: its number, its title and the end of its place, or only the number if space is short.
 */
function inLine(entry: RegisterEntry, millimetres: number, targets: Targets): Inline[] {
  const room = pointsIn(millimetres);
  const [title, place] = titleAndPlace(entry, 200);
  const number = numberOf(entry.id, targets);
  const left = room - textWidth(lettersOf(number), fontSize);
  const isNarrow = number.length > 0 && millimetres < minForPlace;
  const shown = place && !isNarrow ? `  ${fittedEnd(place, fontSize, (left - 2 * fontSize) / 2)}` : '';
  return [
    ...number,
    findingInline(entry.id, fittedText(title, fontSize, left - textWidth(shown, fontSize)), targets),
    ...(shown ? [note(shown)] : []),
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
          ...namedFinding(entry, targets, { title: 120, place: 100 }),
          note(`  ${lineOf(entry.data_source.name, 60)}`),
        ],
        ...decisionCells(entry, (value) => value, reasonOf(entry, maxReason, words), words),
      ],
    })),
  });
}

/** Returns decisions, one line each, with the start of title and reason. */
export function lineTable(entries: RegisterEntry[], head: ReportHead, targets: Targets): Block {
  const words = wordingOf(head);
  const hasEnd = entries[0]?.status === 'accepted_risk';
  const titleWidth = fullWidth - widths.severity - widths.by - widths.on - widths.reason - (hasEnd ? widths.until : 0);
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
        inLine(entry, titleWidth, targets),
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

/** A decision without a person comes from a file: a suppression in the code, or in a tool's output. */
const deciderOf = ({ decided_by: by, decided_at: at }: RegisterEntry, { say }: Wording): string =>
  by ? lineOf(by.name, 60) : say(at === null ? 'not_known' : 'register.by_file');

const dayOf = ({ decided_at: at }: RegisterEntry, { say, date }: Wording): string => (at ? date(at) : say('not_known'));

const endOf = ({ accepted_until: until }: RegisterEntry, { say, date }: Wording): string =>
  until ? date(until) : say('register.endless');

const reasonOf = ({ reason, justification }: RegisterEntry, max: number, { say }: Wording): string => {
  if (reason) return shortened(lineOf(reason, 1_000), max);
  return justification ? say(`justification.${justification}`) : say('register.no_reason_given');
};
