import { severities } from '@assay/scanner/contract/severity.ts';
import type { ChangedFindings, RollForward, RollForwardFigures } from '../analysis-model.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import { type Block, type Column, heading, paragraph, type Row, severityBadge, table, text } from './blocks.ts';
import { figureCells, figureColumn } from './figure-cells.ts';
import { namedFinding } from './named-finding.ts';
import type { Targets } from './targets.ts';
import { lineOf } from './texts.ts';

const kinds = ['new', 'fixed', 'reopened', 'accepted'] as const;
type Changes = Record<(typeof kinds)[number], ChangedFindings> & { since: string };

/**
 * Returns the changes since the earlier report or the start of the period, with at most `max` findings of each kind.
 */
export function changeBlocks(head: ReportHead, targets: Targets, max: number): Block[] {
  const changes = head.analysis?.changes;
  if (!changes) return [];
  const words = wordingOf(head);
  const { say, day } = words;
  const roll = head.analysis?.roll_forward;
  return [
    heading(1, 'changes', say('heading.changes'), { newPage: max >= 5 }),
    paragraph(say('changes.since', { day: day(changes.since) })),
    ...(roll ? rollForwardBlocks(roll, head, words) : [countTable(changes, words)]),
    ...mostSevere(changes, targets, max, words),
  ];
}

/** Returns the number of changes of each kind. */
const countTable = (changes: Changes, words: Wording): Block =>
  table({
    caption: words.say('changes.caption'),
    description: words.say('changes.description'),
    columns: severityColumns('change', words),
    rows: kinds.map((kind) => {
      const { total, by_severity: figures } = changes[kind];
      const values = [...severities.map((severity) => figures[severity]), total];
      return { cells: [[text(words.say(`change.${kind}`))], ...figureCells(values, words)] };
    }),
  });

const severityColumns = (first: 'change' | 'findings', { say, severity }: Wording): Column[] => [
  { label: say(`column.${first}`), width: { share: 1 } },
  ...severities.map((name) => figureColumn(severity(name), 18)),
  figureColumn(say('column.total'), 18),
];

/** The flows in the order of the table: additions, reductions, and moves between severities. */
const added = ['new', 'reopened'] as const;
const takenOff = ['resolved', 'removed', 'accepted', 'false_positive'] as const;
/** Rare flows, shown only if there are any. */
const rare: readonly string[] = ['removed', 'reclassified'];

/** Returns the change of open findings from the earlier time to now, by severity. */
function rollForwardBlocks(roll: RollForward, head: ReportHead, words: Wording): Block[] {
  const { say, day, number, signed } = words;
  const figures = [...severities.map((severity) => roll.by_severity[severity]), roll.total];
  const row = (label: string, count: (of: RollForwardFigures) => number, show: (value: number) => string): Row => ({
    cells: [[text(label)], ...figures.map((of) => [text(show(count(of)))])],
  });
  const flow = (name: 'reclassified' | (typeof added)[number] | (typeof takenOff)[number], sign: 1 | -1): Row[] =>
    rare.includes(name) && figures.every((of) => of[name] === 0)
      ? []
      : [
          row(
            say(`roll_forward.${name}`),
            (of) => sign * of[name],
            (value) => (value === 0 ? number(0) : signed(value)),
          ),
        ];
  const values = { since: day(roll.since), day: day(head.taken_at) };
  return [
    table({
      caption: say('roll_forward.caption'),
      description: say('roll_forward.description', values),
      columns: severityColumns('findings', words),
      rows: [
        row(say('roll_forward.open_then', values), (of) => of.open_then, number),
        ...added.flatMap((name) => flow(name, 1)),
        ...takenOff.flatMap((name) => flow(name, -1)),
        ...flow('reclassified', 1),
        { ...row(say('roll_forward.open_now', values), (of) => of.open_now, number), total: true },
      ],
    }),
    paragraph(say(`roll_forward.${roll.basis}`), 'note'),
  ];
}

/** Returns the changes in one sentence. */
export function changeSentence(head: ReportHead): string {
  const changes = head.analysis?.changes;
  if (!changes) return '';
  const { say, list, day } = wordingOf(head);
  const parts = kinds
    .filter((kind) => changes[kind].total > 0)
    .map((kind) => say(`changed.${kind}`, { n: changes[kind].total }));
  const since = day(changes.since);
  return parts.length === 0
    ? say('changed.nothing', { day: since })
    : say('changed.some', { day: since, parts: list(parts) });
}

function mostSevere(changes: Changes, targets: Targets, max: number, { say, date }: Wording): Block[] {
  const listed = kinds.flatMap((kind) => changes[kind].most_severe.slice(0, max).map((finding) => ({ kind, finding })));
  if (listed.length === 0) return [];
  const isCut = kinds.some((kind) => changes[kind].total > max);
  return [
    table({
      caption: say(isCut ? 'changes.most_severe_cut' : 'changes.most_severe', { max }),
      description: say('changes.list_description'),
      dense: true,
      columns: [
        { label: say('column.change'), width: { mm: 23 } },
        { label: say('column.severity'), width: { mm: 20 } },
        { label: say('column.finding'), width: { share: 1 } },
        { label: say('column.data_source'), width: { mm: 36 } },
        { label: say('column.date'), width: { mm: 20 } },
      ],
      rows: listed.map(
        ({ kind, finding }): Row => ({
          cells: [
            [text(say(`change.${kind}`))],
            [severityBadge(finding.severity)],
            namedFinding(finding, targets, { title: 100, place: 80 }),
            [text(lineOf(finding.data_source.name, 60))],
            [text(date(finding.at))],
          ],
        }),
      ),
    }),
  ];
}
