import type { ReportFinding } from '../report-model.ts';
import { type CsvContext, columns } from './csv-columns.ts';
import type { ReportWriter } from './format.ts';
import { inPieces } from './pieces.ts';

const cells = columns.map(([, cell]) => cell);

const byteOrderMark = '\uFEFF';

/** The row of column names. */
const csvHeader = `${columns.map(([name]) => name).join(',')}\r\n`;

/**
 * Writes CSV by RFC 4180 in UTF-8: a header, then a row for each finding with all its fields. The byte order mark is
 * optional and off by default: the RFC has none, and programs treat it as part of the first name. Excel needs it to
 * open a file with a double click; otherwise it asks for the encoding during import (Data, From Text/CSV).
 *
 * A cell that a spreadsheet might treat as a formula is prefixed with an apostrophe, as OWASP recommends: a cell that
 * starts with `=`, `+`, `-`, `@` (also full-width, also after white space), a tab or a line break. So is such a sign
 * after a semicolon, a tab, a bar or a line break, where other spreadsheets split.
 *
 * A list has one entry per line, in which `\\`, `\n` and `\r` represent a backslash and line breaks; places are
 * `path:from-to @ commit`, comments `time author: text`. Unknown values are empty. NUL and lone surrogates, which
 * readers reject, become U+FFFD.
 *
 * It does not use csv-stringify, which writes 54,000 of these rows per second; this code writes 150,000 (90,000
 * including JSON.parse).
 */
export const writeCsv: ReportWriter = ({ head, findings }, { bom, baseUrl } = {}) =>
  inPieces(csvTexts(findings, { now: Date.parse(head.taken_at), baseUrl, bom }));

/** Yields the header, then the rows of each batch. */
export async function* csvTexts(
  batches: AsyncIterable<ReportFinding[]>,
  { bom, ...context }: CsvContext & { bom?: boolean | undefined },
): AsyncGenerator<string[]> {
  yield bom ? [byteOrderMark, csvHeader] : [csvHeader];
  for await (const batch of batches) yield batch.map((finding) => csvRow(finding, context));
}

/** Returns a finding as a row. */
function csvRow(finding: ReportFinding, context: CsvContext): string {
  let row = cells[0]!(finding, context);
  for (let index = 1; index < cells.length; index++) row += `,${cells[index]!(finding, context)}`;
  return `${row}\r\n`;
}
