import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { Chunks } from './format.ts';
import { endsEarly, FormatError } from './format-error.ts';
import { maxValueBytes } from './value-limits.ts';

/** A row by the column names of the header, in lower case and trimmed; `line` is its last line. */
export type CsvRow = { values: Record<string, string>; line: number };

const maxPreambleRows = 200;

type Options = {
  delimiter?: string;
  /** Whether rows of other lengths, about the report as a whole, may precede the header row. */
  preamble?: boolean;
};

/**
 * Streams the rows of a CSV file with a header row. Throws FormatError with the line, also if `required` names are
 * missing.
 */
export async function* readCsv(
  chunks: Chunks,
  required: string[],
  title: string,
  { delimiter = ',', preamble = false }: Options = {},
): AsyncGenerator<CsvRow> {
  const parser = parse({
    delimiter,
    info: true,
    max_record_size: maxValueBytes,
    skip_empty_lines: true,
    relax_column_count: preamble,
  });
  // The iteration below passes errors of the source to the reader.
  pipeline(Readable.from(chunks, { objectMode: false }), parser, () => {});
  let names: string[] | null = null;
  let preambleRows = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (names === null) {
        const found = record.map((name) => name.trim().toLowerCase());
        const isPreamble = preamble && required.some((name) => !found.includes(name));
        if (isPreamble && preambleRows < maxPreambleRows) preambleRows += 1;
        else {
          requireNames(found, required, title);
          names = found;
        }
      } else if (record.length !== names.length) throw new FormatError(inconsistent, { line: info.lines });
      else yield { values: toValues(names, record), line: info.lines };
    }
    if (names === null && preambleRows > 0) requireNames([], required, title);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new FormatError(sentenceOf(error), { line: Number(error.lines) || 1 });
  } finally {
    parser.destroy();
  }
  if (names === null)
    throw new FormatError('The file is empty; a first row with the names of the columns was expected.', { line: 1 });
}

const inconsistent = 'A row has more or fewer columns than the first.';

function sentenceOf({ code }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return endsEarly;
  return code.startsWith('CSV_RECORD_INCONSISTENT') ? inconsistent : 'This is not valid CSV.';
}

function requireNames(names: string[], required: string[], title: string): void {
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length === 0) return;
  throw new FormatError(`This is not a file of ${title}: it has no column “${missing.join('” and “')}”.`, { line: 1 });
}

const toValues = (names: string[], record: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name, index) => [name, (record[index] ?? '').trim()]));
