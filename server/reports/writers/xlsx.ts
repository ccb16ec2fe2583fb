import type { ReportFinding, ReportHead, ReportModel } from '../report-model.ts';
import type { ReportWriter } from './format.ts';
import { inPieces } from './pieces.ts';
import { Spool, SpooledList } from './spool.ts';
import { type Cell, maxCellLength, rowXml } from './xlsx/cells.ts';
import { type FindingColumn, findingColumns } from './xlsx/finding-columns.ts';
import { columnsOf, type Table } from './xlsx/table.ts';
import { tablesOf } from './xlsx/tables.ts';
import { type Column, sheetEnd, sheetPath, sheetStart, type WrittenSheet, workbookParts } from './xlsx/workbook.ts';
import { type ZippedFile, zipped } from './zip.ts';

/** The limit of Excel, with the header. */
const maxRows = 1_048_576;
/** In UTF-16 code units: a sheet stays below 4 GB, above which a zip archive has another format. */
const maxSheetLength = 1_200_000_000;

/**
 * Writes an Excel workbook (Office Open XML, ISO/IEC 29500): the findings, then the tables of the report. Dates and
 * numbers are typed, every sheet has a filter and a fixed header, and ids link to the console. Text is never evaluated.
 *
 * Nothing is lost to Excel's limits: findings continue on another sheet, and a text longer than a cell (32,767
 * characters) continues on the sheet "Long texts".
 *
 * No library is used: maintained ones keep the strings or the rows of a sheet in memory, or add 50 MB for other
 * formats.
 */
export const writeXlsx: ReportWriter = ({ head, findings }, { baseUrl } = {}) =>
  workbookOf({ head, findings, tables: tablesOf(head, baseUrl), baseUrl });

/** Yields the bytes of a workbook in bounded memory. */
export async function* workbookOf(content: WorkbookContent): AsyncGenerator<Uint8Array> {
  await using spool = new Spool();
  // Level 3 is twice as fast as the default, and the file is a tenth larger.
  yield* zipped(new Workbook(content, spool).files(), 3);
}

export type WorkbookContent = {
  head: Pick<ReportHead, 'title' | 'organization' | 'taken_at' | 'source_names'>;
  findings: ReportModel['findings'];
  /** The sheets after the findings. */
  tables: Table[];
  /** The URL of the console, for links; null if unknown. */
  baseUrl: string | null | undefined;
};

export const sheetLimits = { rows: maxRows, length: maxSheetLength };

export class Workbook {
  readonly #content: WorkbookContent;
  readonly #limits: typeof sheetLimits;
  readonly #spool: Spool;
  readonly #longTexts = new SpooledList();
  #longTextRows = 1;
  readonly #sheets: WrittenSheet[] = [];

  constructor(content: WorkbookContent, spool: Spool, limits = sheetLimits) {
    this.#content = content;
    this.#spool = spool;
    this.#limits = limits;
  }

  /** Yields the parts of the package. The content of each must be read to its end before the next. */
  async *files(): AsyncGenerator<ZippedFile> {
    const { head, findings, tables, baseUrl } = this.#content;
    const columns = findingColumns(head, baseUrl);
    const batches = findings[Symbol.asyncIterator]();
    let waiting = await batches.next();
    for (let number = 1; number === 1 || !waiting.done; number++) {
      const sheet = this.#add(number === 1 ? 'Findings' : `Findings ${number}`, columns);
      const rows = async function* (this: Workbook) {
        let length = 0;
        while (
          !waiting.done &&
          length < this.#limits.length &&
          sheet.rows + waiting.value.length <= this.#limits.rows
        ) {
          const texts = await this.#findingRows(waiting.value, columns, sheet);
          length += texts.reduce((sum, text) => sum + text.length, 0);
          yield texts;
          waiting = await batches.next();
        }
      };
      yield this.#file(sheet, columns, rows.call(this));
    }
    for (const table of tables) {
      const sheet = this.#add(table.name, table.columns);
      yield this.#file(sheet, table.columns, this.#tableRows(table, sheet));
    }
    if (this.#longTextRows > 1) yield this.#longTextSheet();
    for (const { path, text } of workbookParts(head, this.#sheets)) yield { path, content: [Buffer.from(text)] };
  }

  #add(name: string, columns: Column[]): WrittenSheet {
    const sheet = { name, columns: columns.length, rows: 1 };
    this.#sheets.push(sheet);
    return sheet;
  }

  #file(sheet: WrittenSheet, columns: Column[], rows: AsyncIterable<string[]>): ZippedFile {
    const texts = async function* () {
      yield [sheetStart(columns)];
      yield* rows;
      yield [sheetEnd(sheet)];
    };
    return { path: sheetPath(this.#sheets.indexOf(sheet)), content: inPieces(texts()) };
  }

  async #findingRows(findings: ReportFinding[], columns: FindingColumn[], sheet: WrittenSheet): Promise<string[]> {
    const texts: string[] = [];
    for (const finding of findings) {
      const cells = columns.map(({ cell }) => cell(finding));
      texts.push(await this.#row(cells, finding.id, columns, sheet));
    }
    return texts;
  }

  async *#tableRows({ name, columns, rows }: Table, sheet: WrittenSheet): AsyncGenerator<string[]> {
    for (const [index, cells] of rows.entries())
      yield [await this.#row([...cells], `${name}, row ${index + 2}`, columns, sheet)];
  }

  /** Returns the next row of a sheet; the remainder of long texts is written to a separate sheet. */
  async #row(cells: Cell[], subject: string, columns: Column[], sheet: WrittenSheet): Promise<string> {
    for (const [index, cell] of cells.entries()) {
      if (typeof cell !== 'string' || cell.length <= maxCellLength) continue;
      const parts = partsOf(cell);
      cells[index] = `${parts[0]}${continued}`;
      for (const [part, text] of parts.slice(1).entries()) {
        const row: Cell[] = [subject, columns[index]!.header, part + 2, text];
        await this.#spool.append(this.#longTexts, rowXml(row, ++this.#longTextRows));
      }
    }
    return rowXml(cells, ++sheet.rows);
  }

  #longTextSheet(): ZippedFile {
    const columns = columnsOf(['Finding or row', 31], ['Column', 16], ['Part', 8], ['Text', 120]);
    const sheet = this.#add('Long texts', columns);
    sheet.rows = this.#longTextRows;
    const texts = this.#spool.read(this.#longTexts);
    const rows = async function* () {
      for await (const text of texts) yield [text];
    };
    return this.#file(sheet, columns, rows());
  }
}

const continued = '… (continued on the sheet “Long texts”)';
const partLength = maxCellLength - continued.length;

/** Splits a text into parts that fit a cell; none ends within a surrogate pair. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + partLength, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1]!)) end--;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
