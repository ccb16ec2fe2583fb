import { type Severity, severities } from '../../../findings/severity.ts';
import type { DueFigures, ReportAnalysis } from '../../analysis/analysis-model.ts';
import { severityNames } from '../../labels.ts';
import type { Cell } from './cells.ts';
import { columnsOf, severityCells, severityColumns, type Table } from './table.ts';

const noOwner = '(none)';

/** Who has what to fix. */
export const owners = ({ owners: { owners: list } }: ReportAnalysis): Table => ({
  name: 'Owners',
  columns: columnsOf(
    ['Owner', 24],
    ['Data sources', 13],
    ['Open', 8],
    ...severityColumns,
    ['Overdue', 9],
    ['Unassigned', 11],
  ),
  rows: list.map((figure) => [
    figure.owner?.name ?? noOwner,
    figure.data_sources,
    figure.open,
    ...severityCells(figure.open_by_severity),
    figure.overdue,
    figure.unassigned,
  ]),
});

const dueColumns: Array<[string, number]> = [
  ['Open, due later', 16],
  ['Open, overdue', 14],
  ['Fixed in time', 14],
  ['Fixed late', 12],
  ['Open, no due date', 17],
];
const dueCells = (figure: DueFigures): Cell[] => [
  figure.open_in_time,
  figure.overdue,
  figure.kept,
  figure.missed,
  figure.without_due_date,
];

export const dueBySeverity = ({ due_dates: { by_severity } }: ReportAnalysis): Table => ({
  name: 'Due dates by severity',
  columns: columnsOf(['Severity', 12], ...dueColumns),
  rows: severities.map((severity: Severity) => [severityNames[severity], ...dueCells(by_severity[severity])]),
});

export const dueByOwner = ({ due_dates: { by_owner } }: ReportAnalysis): Table => ({
  name: 'Due dates by owner',
  columns: columnsOf(['Owner', 24], ...dueColumns),
  rows: by_owner.map((figure) => [figure.owner?.name ?? noOwner, ...dueCells(figure)]),
});
