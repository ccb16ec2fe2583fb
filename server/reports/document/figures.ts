import { statuses } from '../../findings/lifecycle.ts';
import { severities } from '../../findings/severity.ts';
import { type Chart, drawCharts } from '../charts/index.ts';
import { count, statusNames } from '../labels.ts';
import type { ReportHead } from '../report-model.ts';
import {
  type Block,
  type Column,
  heading,
  paragraph,
  type Row,
  severityBadge,
  type Table,
  table,
  text,
} from './blocks.ts';
import { figureCells, figureColumn } from './figure-cells.ts';
import { responsibilityBlocks } from './responsibility.ts';
import { lineOf } from './texts.ts';

const shownDataSources = 25;
const shownOwners = 20;
/** The further detection sources share a row, which keeps the table on a page. */
const shownSources = 15;
/** The full width of the text, in units of a chart. */
const fullWidth = 640;

/** Returns the charts; `ids` selects some of them. */
export function chartBlocks(head: ReportHead, ids?: Chart['id'][]): Block[] {
  if (head.summary.total === 0) return [];
  const drawn = drawCharts(head).filter(({ id }) => ids === undefined || ids.includes(id));
  if (drawn.length === 0) return [];
  return [
    heading(1, 'charts', 'Charts', { newPage: true }),
    ...chartRows(drawn).map((charts): Block => ({ kind: 'charts', charts })),
  ];
}

/** Returns the tables of counts; none if there are no findings. */
export function numberBlocks(head: ReportHead): Block[] {
  if (head.summary.total === 0) return [];
  return [
    heading(1, 'tables', 'Findings in numbers'),
    severityTable(head),
    paragraph('Open findings are new, triaged or in progress.', 'note'),
    ...responsibilityBlocks(head, shownOwners),
    sourceTable(head),
    ...dataSourceBlocks(head),
  ];
}

/** Places charts of half the width two in a row. */
function chartRows(charts: Chart[]): Chart[][] {
  const rows: Chart[][] = [];
  for (const chart of charts) {
    const row = rows.at(-1);
    const room = fullWidth - (row ?? []).reduce((width, placed) => width + placed.width, 0);
    if (row && chart.width <= room) row.push(chart);
    else rows.push([chart]);
  }
  return rows;
}

function severityTable({ summary, by_severity_and_status: figures }: ReportHead): Table {
  const rows = severities.map((severity): Row => {
    const values = [...statuses.map((status) => figures[severity][status]), summary.by_severity[severity]];
    return { cells: [[severityBadge(severity)], ...figureCells(values)] };
  });
  const totals = [...statuses.map((status) => summary.by_status[status]), summary.total];
  return table({
    caption: 'Findings by severity and status',
    description: 'Number of findings by severity and status',
    columns: [
      { label: 'Severity', width: { share: 1 } },
      ...statuses.map((status) => figureColumn(statusNames[status], 21)),
      figureColumn('Total', 17),
    ],
    rows: [...rows, { cells: [[text('Total')], ...figureCells(totals)], total: true }],
  });
}

const openColumns = (first: string): Column[] => [
  { label: first, width: { share: 1 } },
  ...['Open', 'Closed', 'Total'].map((label) => figureColumn(label)),
];
const openCells = (open: number, total: number) => figureCells([open, total - open, total]);

function sourceTable({ summary, open, open_by_source: openBySource, source_names: names }: ReportHead): Table {
  const sources = Object.entries(summary.by_source).sort(([a, all], [b, others]) => others - all || (a < b ? -1 : 1));
  const shown = sources.length > shownSources + 1 ? sources.slice(0, shownSources) : sources;
  const rest = sources.slice(shown.length);
  const restOpen = rest.reduce((sum, [source]) => sum + (openBySource[source] ?? 0), 0);
  const restTotal = rest.reduce((sum, [, total]) => sum + total, 0);
  return table({
    caption: 'Findings by detection source',
    description: 'Number of findings by detection source',
    columns: openColumns('Detection source'),
    rows: [
      ...shown.map(([source, total]) => ({
        cells: [[text(lineOf(names[source] ?? source, 120))], ...openCells(openBySource[source] ?? 0, total)],
      })),
      ...(rest.length > 0
        ? [{ cells: [[text(`${rest.length} others, listed in the appendix`)], ...openCells(restOpen, restTotal)] }]
        : []),
      { cells: [[text('Total')], ...openCells(open, summary.total)], total: true },
    ],
  });
}

function dataSourceBlocks({ summary, open }: ReportHead): Block[] {
  const shown = summary.by_data_source.slice(0, shownDataSources);
  const others = summary.by_data_source.length - shown.length;
  return [
    table({
      caption: 'Findings by data source',
      description: 'Number of findings by data source, most open first',
      columns: openColumns('Data source'),
      rows: [
        ...shown.map((dataSource) => ({
          cells: [[text(lineOf(dataSource.name, 120))], ...openCells(dataSource.open, dataSource.total)],
        })),
        { cells: [[text('Total')], ...openCells(open, summary.total)], total: true },
      ],
    }),
    ...(others > 0
      ? [paragraph(`The total includes ${count(others, 'more data source')} with fewer open findings.`, 'note')]
      : []),
  ];
}
