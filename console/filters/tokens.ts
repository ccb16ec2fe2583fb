/** A value of a filter with its position in the text, without the quotes and the "-" before it. */
type Part = { start: number; end: number; text: string; excluded: boolean };

/** A word, a phrase in quotes, or a filter such as `-tag:test,"two words"` or `due:<7d`. */
export type Token = { start: number; end: number } & (
  | { kind: 'word'; text: string }
  | { kind: 'filter'; key: string; excluded: boolean; operator: '' | '<' | '>'; parts: Part[] }
);

/** Addresses, names with `::` and Windows paths are not filters. */
const filterStart = /^(-?)([a-z][a-z_]+):(?!\/\/|[:\\])(?:([<>])=?)?/i;
const value = /(-?)(?:"((?:[^"\\]|\\.)*)"?|([^\s,]*))/y;

const unquoted = (text: string) => text.replaceAll(/\\(.)/g, '$1');

function readParts(text: string, start: number): Part[] {
  const parts: Part[] = [];
  let position = start;
  do {
    value.lastIndex = position;
    const [whole, minus, quoted, plain = ''] = value.exec(text)!;
    const end = position + whole.length;
    parts.push({
      start: position,
      end,
      text: quoted === undefined ? plain : unquoted(quoted),
      excluded: minus === '-',
    });
    position = end + 1;
  } while (text[position - 1] === ',');
  return parts;
}

const word = /"((?:[^"\\]|\\.)*)"?|\S+/y;

/** Splits a text into words and filters. Nothing is lost: text that can't be a filter is a word. */
export function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let start = 0;
  while (start < text.length) {
    if (/\s/.test(text[start]!)) {
      start++;
      continue;
    }
    const [head, minus, key, operator = ''] = filterStart.exec(text.slice(start)) ?? [];
    if (head !== undefined && key !== undefined) {
      const parts = readParts(text, start + head.length);
      const { end } = parts.at(-1)!;
      tokens.push({
        kind: 'filter',
        start,
        end,
        key: key.toLowerCase(),
        excluded: minus === '-',
        operator: operator as '<',
        parts,
      });
      start = end;
      continue;
    }
    word.lastIndex = start;
    const [whole, phrase] = word.exec(text)!;
    tokens.push({
      kind: 'word',
      start,
      end: start + whole.length,
      text: phrase === undefined ? whole : unquoted(phrase),
    });
    start += whole.length;
  }
  return tokens;
}

/** Quotes a text, so that it is one word or value regardless of its content. */
export const inQuotes = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** Writes a value in a form that parses to the same value, quoted if necessary. */
export const quote = (text: string): string => (text === '' || /[\s,"\\]|^[-<>/:]/.test(text) ? inQuotes(text) : text);
