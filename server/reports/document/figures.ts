import { severities } from '@assay/scanner/contract/severity.ts';
import { statuses } from '../../findings/lifecycle.ts';
import { type Chart, drawCharts } from '../charts/index.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
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
import { firstRows } from './first-rows.ts';
import { responsibilityBlocks } from './responsibility.ts';
import { lineOf } from './texts.ts';

const shownDataSources = 25;
const shownOwners = 20;
/** Further detection sources share a row, which keeps the table on a page. */
const shownSources = 15;
/** The full width of the text, in units of a chart. */
const fullWidth = 640;

/** Returns the charts; `ids` selects some of them. */
export function chartBlocks(head: ReportHead, ids?: Chart['id'][]): Block[] {
  if (head.summary.total === 0) return [];
  const drawn = drawCharts(head).filter(({ id }) => ids === undefined || ids.includes(id));
  if (drawn.length === 0) return [];
  return [
    heading(1, 'charts', wordingOf(head).say('heading.charts'), { newPage: true }),
    ...chartRows(drawn).map((charts): Block => ({ kind: 'charts', charts })),
  ];
}

/** Returns the tables of counts; none if there are no findings. */
export function numberBlocks(head: ReportHead): Block[] {
  if (head.summary.total === 0) return [];
  const { say } = wordingOf(head);
  return [
    heading(1, 'tables', say('heading.numbers')),
    { kind: 'together', blocks: [severityTable(head), paragraph(say('numbers.open_note'), 'note')] },
    ...responsibilityBlocks(head, shownOwners),
    sourceTable(head),
    ...dataSourceBlocks(head),
  ];
}

/** Places half-width charts in pairs. */
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

function severityTable(head: ReportHead): Table {
  const { summary, by_severity_and_status: figures } = head;
  const words = wordingOf(head);
  const { say } = words;
  const rows = severities.map((severity): Row => {
    const values = [...statuses.map((status) => figures[severity][status]), summary.by_severity[severity]];
    return { cells: [[severityBadge(severity)], ...figureCells(values, words)] };
  });
  const totals = [...statuses.map((status) => summary.by_status[status]), summary.total];
  return table({
    caption: say('numbers.severity_status'),
    description: say('numbers.severity_status_description'),
    columns: [
      { label: say('column.severity'), width: { share: 1 } },
      ...statuses.map((status) => figureColumn(say(`status.${status}`), 23)),
      figureColumn(say('column.total'), 15),
    ],
    rows: [...rows, { cells: [[text(say('column.total'))], ...figureCells(totals, words)], total: true }],
  });
}

const openColumns = (first: string, { say }: Wording): Column[] => [
  { label: first, width: { share: 1 } },
  ...(['open', 'closed', 'total'] as const).map((name) => figureColumn(say(`column.${name}`), 24)),
];
const openCells = (open: number, total: number, words: Wording) => figureCells([open, total - open, total], words);

function sourceTable(head: ReportHead): Table {
  const { summary, open, open_by_source: openBySource, source_names: names } = head;
  const words = wordingOf(head);
  const { say } = words;
  const sources = Object.entries(summary.by_source).sort(([a, all], [b, others]) => others - all || (a < b ? -1 : 1));
  const shown = firstRows(sources, shownSources);
  const rest = sources.slice(shown.length);
  const restOpen = rest.reduce((sum, [source]) => sum + (openBySource[source] ?? 0), 0);
  const restTotal = rest.reduce((sum, [, total]) => sum + total, 0);
  return table({
    caption: say('numbers.source'),
    description: say('numbers.source_description'),
    columns: openColumns(say('column.detection_source'), words),
    rows: [
      ...shown.map(([source, total]) => ({
        cells: [[text(lineOf(names[source] ?? source, 120))], ...openCells(openBySource[source] ?? 0, total, words)],
      })),
      ...(rest.length > 0
        ? [
            {
              cells: [
                [text(say('numbers.other_sources', { n: rest.length }))],
                ...openCells(restOpen, restTotal, words),
              ],
            },
          ]
        : []),
      { cells: [[text(say('column.total'))], ...openCells(open, summary.total, words)], total: true },
    ],
  });
}

function dataSourceBlocks(head: ReportHead): Block[] {
  const { summary, open } = head;
  const words = wordingOf(head);
  const { say } = words;
  const shown = firstRows(summary.by_data_source, shownDataSources);
  const others = summary.by_data_source.length - shown.length;
  return [
    table({
      caption: say('numbers.data_source'),
      description: say('numbers.data_source_description'),
      columns: openColumns(say('column.data_source'), words),
      rows: [
        ...shown.map((dataSource) => ({
          cells: [[text(lineOf(dataSource.name, 120))], ...openCells(dataSource.open, dataSource.total, words)],
        })),
        { cells: [[text(say('column.total'))], ...openCells(open, summary.total, words)], total: true },
      ],
    }),
    ...(others > 0 ? [paragraph(say('numbers.more_data_sources', { n: others }), 'note')] : []),
  ];
}
