import { statuses } from '../../../findings/lifecycle.ts';
import { severities } from '../../../findings/severity.ts';
import { count, formatNumber, severityColors, severityNames, statusNames } from '../../labels.ts';
import { plainText } from '../../plain-text.ts';
import type { ReportHead } from '../../report-model.ts';
import { caption } from './caption.ts';
import { textParagraph } from './paragraph.ts';
import type { References } from './references.ts';
import { type Cell, cell, figureCell, table } from './table.ts';
import { hex, type Xml } from './xml.ts';

const shownDataSources = 50;
/** Tables with at most this many rows are kept on one page. */
const fewRows = 12;
const name = (text: string) => plainText(text, { line: true, max: 120 });

/** Returns the figures of the report as tables: by severity and status, by source, by data source. */
export function summaryTables(head: ReportHead, references: References): Xml {
  return [severityAndStatus, bySource, byDataSource].map((part) => part(head, references)).join('');
}

function severityAndStatus(head: ReportHead, references: References): Xml {
  const { by_severity_and_status: figures, summary } = head;
  const rows = severities.map((severity) => [
    severityCell(severity),
    ...statuses.map((status) => figureCell(formatNumber(figures[severity][status]))),
    figureCell(formatNumber(summary.by_severity[severity])),
  ]);
  const totals = [
    cell('Total'),
    ...statuses.map((status) => figureCell(formatNumber(summary.by_status[status]))),
    figureCell(formatNumber(summary.total)),
  ];
  const label = 'Findings by severity and status';
  return (
    caption('Table', label, references) +
    table({
      style: 'Summary',
      widths: [1_500, ...statuses.map(() => 1_170), 1_080],
      header: [
        cell('Severity', 'TableLabel'),
        ...statuses.map((status) => figureCell(statusNames[status])),
        figureCell('Total'),
      ],
      rows: [...rows, totals],
      rowHeaders: true,
      lastRowTotals: true,
      description: label,
    }) +
    textParagraph('Note', 'Open findings are new, triaged or in progress.')
  );
}

const severityCell = (severity: (typeof severities)[number]): Cell => ({
  content: textParagraph('TableLabel', severityNames[severity], { bold: true, color: hex(severityColors[severity]) }),
});

type OpenAndTotal = { name: string; open: number; total: number };

function openAndTotal(label: string, first: string, figures: OpenAndTotal[], references: References): Xml {
  const isKept = (index: number) => figures.length <= fewRows && index < figures.length - 1;
  return (
    caption('Table', label, references) +
    table({
      style: 'Summary',
      widths: [6_600, 1_500, 1_500],
      header: [cell(first, 'TableLabel'), figureCell('Open'), figureCell('Total')],
      rows: figures.map(({ name: text, open, total }, index) => [
        cell(name(text), isKept(index) ? 'TableLabel' : 'TableText'),
        figureCell(formatNumber(open)),
        figureCell(formatNumber(total)),
      ]),
      rowHeaders: true,
      description: label,
    })
  );
}

function bySource(head: ReportHead, references: References): Xml {
  const figures = Object.entries(head.summary.by_source)
    .sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
    .map(([source, total]) => ({
      name: head.source_names[source] ?? source,
      open: head.open_by_source[source] ?? 0,
      total,
    }));
  return figures.length === 0
    ? ''
    : openAndTotal('Findings by detection source', 'Detection source', figures, references);
}

function byDataSource(head: ReportHead, references: References): Xml {
  const all = head.summary.by_data_source;
  if (all.length === 0) return '';
  const others = all.slice(shownDataSources);
  const open = others.reduce((sum, source) => sum + source.open, 0);
  const rest = `${count(others.length, 'more data source')} with ${count(open, 'open finding')}: see the CSV export.`;
  const note = `Sorted by number of open findings.${others.length === 0 ? '' : ` ${rest}`}`;
  const shown = all.slice(0, shownDataSources);
  return openAndTotal('Findings by data source', 'Data source', shown, references) + textParagraph('Note', note);
}
