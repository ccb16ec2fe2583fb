import { severities } from '@assay/scanner/contract/severity.ts';
import type { DueFigures, Named } from '../analysis-model.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import { type Block, type Column, type Inline, paragraph, type Row, severityBadge, table, text } from './blocks.ts';
import { figureCells, figureColumn } from './figure-cells.ts';
import { firstRows } from './first-rows.ts';
import { lineOf } from './texts.ts';

const ownerName = (owner: Named | null, { say }: Wording): Inline[] => [
  text(owner ? lineOf(owner.name, 60) : say('no_owner')),
];
const severityColumns = ({ severity }: Wording): Column[] => severities.map((name) => figureColumn(severity(name), 16));

/** Returns open findings by owner, by age and by due date; `max` limits the owners. */
export const responsibilityBlocks = (head: ReportHead, max: number): Block[] => [
  ...ownerBlocks(head, max),
  ...(head.open > 0 ? [ageTable(head)] : []),
  ...dueBlocks(head, max),
];

function ownerBlocks(head: ReportHead, max: number): Block[] {
  const { analysis } = head;
  if (!analysis || analysis.owners.owners.length === 0) return [];
  const words = wordingOf(head);
  const { say } = words;
  const { owners, total } = analysis.owners;
  const shown = firstRows(owners, max);
  const others = total - shown.length;
  return [
    table({
      caption: say('owners.caption'),
      description: say('owners.description'),
      columns: [
        { label: say('column.owner'), width: { share: 1 } },
        ...severityColumns(words),
        ...[say('column.open'), say('column.overdue'), say('column.unassigned')].map((label) =>
          figureColumn(label, 22),
        ),
      ],
      rows: shown.map(({ owner, open, open_by_severity: figures, overdue, unassigned }) => ({
        cells: [
          ownerName(owner, words),
          ...figureCells([...severities.map((severity) => figures[severity]), open, overdue, unassigned], words),
        ],
      })),
    }),
    ...(others > 0 ? [paragraph(say('owners.more', { n: others }), 'note')] : []),
  ];
}

function ageTable(head: ReportHead): Block {
  const words = wordingOf(head);
  const { say } = words;
  const sums = severities.map((severity) => head.age.reduce((sum, age) => sum + age.by_severity[severity], 0));
  const labelOf = (from: number, to: number | null) => {
    if (to === null) return say('ages.over', { from });
    return from === 0 ? say('ages.up_to', { to }) : say('ages.between', { from, to });
  };
  return table({
    caption: say('ages.caption'),
    description: say('ages.description'),
    columns: [
      { label: say('column.first_seen'), width: { share: 1 } },
      ...severityColumns(words),
      figureColumn(say('column.open'), 19),
    ],
    rows: [
      ...head.age.map(({ up_to_days: bound, by_severity: figures }, index): Row => {
        const values = severities.map((severity) => figures[severity]);
        const label = labelOf(head.age[index - 1]?.up_to_days ?? 0, bound);
        return { cells: [[text(label)], ...figureCells([...values, sumOf(values)], words)] };
      }),
      { cells: [[text(say('column.total'))], ...figureCells([...sums, sumOf(sums)], words)], total: true },
    ],
  });
}

const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

const dueColumns = ({ say }: Wording): Column[] =>
  (['in_time', 'overdue', 'no_due_date', 'kept', 'missed', 'fixed_no_due_date'] as const).map((name) =>
    figureColumn(say(`column.${name}`), 22),
  );

const dueCells = (figures: DueFigures, words: Wording) =>
  figureCells(
    [
      ...[figures.open_in_time, figures.overdue, figures.without_due_date],
      ...[figures.kept, figures.missed, figures.resolved_without_due_date],
    ],
    words,
  );

function dueBlocks(head: ReportHead, max: number): Block[] {
  if (!head.analysis) return [];
  const words = wordingOf(head);
  const { say } = words;
  const { by_severity: bySeverity, by_owner: byOwner } = head.analysis.due_dates;
  const shown = firstRows(byOwner, max);
  const note = paragraph(
    say('due.note') + (shown.length < byOwner.length ? say('due.first_owners', { n: shown.length }) : ''),
    'note',
  );
  const severityTable = table({
    caption: say('due.caption'),
    description: say('due.description'),
    columns: [{ label: say('column.severity'), width: { share: 1 } }, ...dueColumns(words)],
    rows: severities.map((severity) => ({
      cells: [[severityBadge(severity)], ...dueCells(bySeverity[severity], words)],
    })),
  });
  if (byOwner.length === 0) return [{ kind: 'together', blocks: [severityTable, note] }];
  const ownerTable = table({
    caption: say('due.owner_caption'),
    description: say('due.owner_description'),
    columns: [{ label: say('column.owner'), width: { share: 1 } }, ...dueColumns(words)],
    rows: shown.map(({ owner, ...figures }) => ({ cells: [ownerName(owner, words), ...dueCells(figures, words)] })),
  });
  return [severityTable, { kind: 'together', blocks: [ownerTable, note] }];
}
