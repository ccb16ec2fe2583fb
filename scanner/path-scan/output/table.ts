import { styleText } from 'node:util';
import { type Severity, severities } from '../../contract/severity.ts';
import { decisionFile } from '../../contract/suppression.ts';
import { printable } from '../../platform/terminal-text.ts';
import type { ScanReport, ScanReportFormat } from './scan-report.ts';

const colors: Record<Severity, Parameters<typeof styleText>[0]> = {
  critical: ['bold', 'red'],
  high: 'red',
  medium: 'yellow',
  low: 'cyan',
  info: 'dim',
};

/** Writes a table for people: one line per finding, as wide as the terminal, and a total. */
export const formatTable: ScanReportFormat = (report, { color, width }) => {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    color ? styleText(style, text, { validateStream: false }) : text;
  const rows = report.findings.map(({ detection }) => ({
    severity: detection.severity,
    cells: [nameOf(detection), placeOf(detection.location), detection.evidence ?? ''].map(cellOf),
  }));
  if (rows.length === 0) return `No findings in ${printable(report.target.name)}.`;
  const widths = columnWidths(rows, width);
  const line = (cells: string[]) => cells.map((cell, index) => fit(cell, widths[index]!)).join('  ');
  const table = rows.map(
    ({ severity, cells }) => `${paint(colors[severity], fit(severity, 8))}  ${line(cells).trimEnd()}`,
  );
  const header = paint('bold', `SEVERITY  ${line(['RULE', 'PLACE', 'EVIDENCE']).trimEnd()}`);
  return [header, ...table, '', sumOf(report)].join('\n');
};

const nameOf = ({ rule, confidence }: ScanReport['findings'][number]['detection']): string =>
  confidence === 'low' ? `? ${rule.name}` : rule.name;

function placeOf(location: ScanReport['findings'][number]['detection']['location']): string {
  const line = location.start_line === null ? '' : `:${location.start_line}`;
  const commit = location.commit === null ? '' : ` (${location.commit.slice(0, 10)})`;
  return `${location.path ?? location.url ?? 'commit message'}${line}${commit}`;
}

function sumOf({ findings, target }: ScanReport): string {
  const counts = severities
    .map((severity) => ({
      severity,
      count: findings.filter(({ detection }) => detection.severity === severity).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}`);
  const unsure = findings.filter(({ detection }) => detection.confidence === 'low').length;
  const demoted = findings.filter(({ detection }) => detection.scanner_severity !== undefined).length;
  const hints =
    (unsure > 0 ? ` ${unsure} of low confidence (?).` : '') +
    (demoted > 0 ? ` ${demoted} shown as info by ${decisionFile}.` : '');
  return `${findings.length} finding${findings.length === 1 ? '' : 's'} in ${printable(target.name)}: ${counts.join(', ')}.${hints}`;
}

function columnWidths(rows: Array<{ cells: string[] }>, width: number): number[] {
  const longest = (column: number, least: number) => Math.max(least, ...rows.map(({ cells }) => cells[column]!.length));
  const rule = Math.min(longest(0, 4), 40);
  const place = Math.min(longest(1, 5), Math.max(30, Math.floor(width * 0.45)));
  return [rule, place, Math.max(20, width - 8 - rule - place - 6)];
}

const fit = (text: string, width: number) =>
  text.length <= width ? text.padEnd(width) : `${text.slice(0, width - 1)}…`;

const cellOf = (text: string): string => printable(text).replace(/\s+/g, ' ');
