import { severities } from '../../findings/severity.ts';
import type { DueFigures, Named } from '../analysis/analysis-model.ts';
import { count, formatNumber, severityNames } from '../labels.ts';
import type { ReportHead } from '../report-model.ts';
import { type Block, type Inline, paragraph, type Row, severityBadge, table, text } from './blocks.ts';
import { figureCells, figureColumn } from './figure-cells.ts';
import { lineOf } from './texts.ts';

const ownerName = (owner: Named | null): Inline[] => [text(owner ? lineOf(owner.name, 60) : 'No owner')];
const severityColumns = severities.map((severity) => figureColumn(severityNames[severity], 17));

/** Returns open findings by owner, by age and by due date; `max` limits the owners. */
export const responsibilityBlocks = (head: ReportHead, max: number): Block[] => [
  ...ownerBlocks(head, max),
  ...(head.open > 0 ? [ageTable(head)] : []),
  ...dueBlocks(head, max),
];

function ownerBlocks({ analysis }: ReportHead, max: number): Block[] {
  if (!analysis || analysis.owners.owners.length === 0) return [];
  const { owners, total } = analysis.owners;
  const shown = owners.slice(0, max);
  const others = total - shown.length;
  return [
    table({
      caption: 'Open findings by owner of the data source',
      description: 'Number of open findings by owner and severity',
      columns: [
        { label: 'Owner', width: { share: 1 } },
        ...severityColumns,
        ...['Open', 'Overdue', 'Unassigned'].map((label) => figureColumn(label, 19)),
      ],
      rows: shown.map(({ owner, open, open_by_severity: figures, overdue, unassigned }) => ({
        cells: [
          ownerName(owner),
          ...figureCells([...severities.map((severity) => figures[severity]), open, overdue, unassigned]),
        ],
      })),
    }),
    ...(others > 0 ? [paragraph(`${count(others, 'more owner')} with fewer severe findings.`, 'note')] : []),
  ];
}

function ageTable(head: ReportHead): Block {
  const sums = severities.map((severity) => head.age.reduce((sum, age) => sum + age.by_severity[severity], 0));
  return table({
    caption: 'Open findings by age',
    description: 'Number of open findings by age since first seen, and severity',
    columns: [{ label: 'First seen', width: { share: 1 } }, ...severityColumns, figureColumn('Open', 19)],
    rows: [
      ...head.age.map(({ up_to_days: bound, by_severity: figures }, index): Row => {
        const from = head.age[index - 1]?.up_to_days ?? 0;
        const values = severities.map((severity) => figures[severity]);
        const label =
          bound === null ? `More than ${from} days ago` : `${from === 0 ? 'Up to' : `${from} to`} ${bound} days ago`;
        return { cells: [[text(label)], ...figureCells([...values, sumOf(values)])] };
      }),
      { cells: [[text('Total')], ...figureCells([...sums, sumOf(sums)])], total: true },
    ],
  });
}

const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

const dueColumns = ['Open, in time', 'Overdue', 'Kept', 'Missed', 'No due date'].map((label) =>
  figureColumn(label, 23),
);
const dueCells = (figures: DueFigures) =>
  figureCells([figures.open_in_time, figures.overdue, figures.kept, figures.missed, figures.without_due_date]);

function dueBlocks({ analysis }: ReportHead, max: number): Block[] {
  if (!analysis) return [];
  const { by_severity: bySeverity, by_owner: byOwner } = analysis.due_dates;
  return [
    table({
      caption: 'Due dates by severity',
      description: 'Open findings in time and overdue, and due dates kept and missed, by severity',
      columns: [{ label: 'Severity', width: { share: 1 } }, ...dueColumns],
      rows: severities.map((severity) => ({ cells: [[severityBadge(severity)], ...dueCells(bySeverity[severity])] })),
    }),
    ...(byOwner.length > 0
      ? [
          table({
            caption: 'Due dates by owner of the data source',
            description: 'Open findings in time and overdue, and due dates kept and missed, by owner',
            columns: [{ label: 'Owner', width: { share: 1 } }, ...dueColumns],
            rows: byOwner
              .slice(0, max)
              .map(({ owner, ...figures }) => ({ cells: [ownerName(owner), ...dueCells(figures)] })),
          }),
        ]
      : []),
    paragraph(
      `Kept and missed count the findings resolved in the period, by whether that was before their due date. Due dates follow the organization’s policy.${byOwner.length > max ? ` The first ${formatNumber(max)} owners are shown.` : ''}`,
      'note',
    ),
  ];
}
