import { statuses } from '../../../findings/lifecycle.ts';
import { type Severity, severities } from '../../../findings/severity.ts';
import { count, formatNumber, severityColors, severityNames, statusNames } from '../../labels.ts';
import type { ReportHead } from '../../report-model.ts';
import { lineOf, type Words, words } from './text.ts';

/** A table of figures; the colour of a row is that of the severity whose name it shows. */
export type FigureTable = {
  title: string;
  columns: string[];
  rows: Array<{ color: string | null; name: Words; figures: string[] }>;
  note: string | null;
};

const shownDataSources = 40;

/** Returns the tables of the summary; none if there are no findings. */
export function figureTables(head: ReportHead): FigureTable[] {
  return head.summary.total === 0 ? [] : [severityTable(head), sourceTable(head), dataSourceTable(head)];
}

function severityTable({ summary, by_severity_and_status: figures }: ReportHead): FigureTable {
  const row = (severity: Severity) => [
    ...statuses.map((status) => figures[severity][status]),
    summary.by_severity[severity],
  ];
  return {
    title: 'By severity and status',
    columns: ['Severity', ...statuses.map((status) => statusNames[status]), 'Total'],
    rows: [
      ...severities.map((severity) => ({
        color: severityColors[severity],
        name: severityNames[severity],
        figures: row(severity).map(formatNumber),
      })),
      totalRow([...statuses.map((status) => summary.by_status[status]), summary.total]),
    ],
    note: null,
  };
}

function sourceTable({ summary, open, open_by_source: openBySource, source_names: names }: ReportHead): FigureTable {
  const sources = Object.entries(summary.by_source).sort(([a, all], [b, others]) => others - all || (a < b ? -1 : 1));
  return {
    title: 'By detection source',
    columns: ['Detection source', 'Open', 'Closed', 'Total'],
    rows: [
      ...sources.map(([source, total]) => ({
        color: null,
        name: words(lineOf(names[source] ?? source, 120)),
        figures: openClosedTotal(openBySource[source] ?? 0, total),
      })),
      totalRow([open, summary.total - open, summary.total]),
    ],
    note: null,
  };
}

function dataSourceTable({ summary, open }: ReportHead): FigureTable {
  const shown = summary.by_data_source.slice(0, shownDataSources);
  const others = summary.by_data_source.length - shown.length;
  return {
    title: 'By data source',
    columns: ['Data source', 'Open', 'Closed', 'Total'],
    rows: [
      ...shown.map((dataSource) => ({
        color: null,
        name: words(lineOf(dataSource.name, 120)),
        figures: openClosedTotal(dataSource.open, dataSource.total),
      })),
      totalRow([open, summary.total - open, summary.total]),
    ],
    note: others > 0 ? `The total includes ${count(others, 'more data source')} with fewer open findings.` : null,
  };
}

const openClosedTotal = (open: number, total: number) => [open, total - open, total].map(formatNumber);
const totalRow = (figures: number[]) => ({ color: null, name: 'Total', figures: figures.map(formatNumber) });
