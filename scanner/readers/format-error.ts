/**
 * The position of an error in a file: line and column count from 1; `path` is a JSON path such as
 * `$.runs[0].results[3]`.
 */
export type FilePlace = { line?: number; column?: number; path?: string };

/**
 * A result file that can't be read. `sentence` says what is wrong and what is expected, and never quotes the file,
 * which may contain secrets; `message` adds the position.
 */
export class FormatError extends Error {
  readonly sentence: string;
  readonly place: FilePlace;

  constructor(sentence: string, place: FilePlace = {}) {
    const where = placeName(place);
    super(where ? `${sentence} (${where})` : sentence);
    this.name = 'FormatError';
    this.sentence = sentence;
    this.place = place;
  }
}

/** The sentence for a truncated file. */
export const endsEarly = 'The file ends too early: it was cut short.';

function placeName({ line, column, path }: FilePlace): string {
  const position = line === undefined ? '' : `line ${line}${column === undefined ? '' : `, column ${column}`}`;
  return [position, path === undefined ? '' : `at ${path}`].filter(Boolean).join(', ');
}

/**
 * Formats keys and indices as a JSON path: `['runs', 0, 'results', 3]` is `$.runs[0].results[3]`. Long or unusual keys
 * are quoted and truncated.
 */
export function jsonPathName(path: ReadonlyArray<string | number>): string {
  let name = '$';
  for (const part of path) {
    if (typeof part === 'number') name += `[${part}]`;
    else name += /^[A-Za-z_$][\w$-]{0,99}$/.test(part) ? `.${part}` : `[${JSON.stringify(part.slice(0, 100))}]`;
  }
  return name;
}
