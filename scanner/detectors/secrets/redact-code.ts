import type { Code, Location } from '../../contract/detection.ts';
import { withoutRandom } from './redact.ts';
import { literalsIn, redactedSecret, sharedEngine, without } from './redact-text.ts';
import { searchableBytes } from './text.ts';

const maxLines = 9;
const maxBytes = 4_096;
const maxLineLength = 400;
/** A longer line is shown from this far before the column. */
const beforeColumn = 100;
/** Longer lines are not searched for secrets to their end. */
const maxSearchedLine = 4_000;
/** Larger files are searched for secrets only this far around the location: more than the longest key. */
const searchedAround = 64 * 1024;
const wholeFile = 512 * 1024;

/** Lines of a file, starting at line `start`. */
export type NumberedLines = { start: number; lines: string[] };

type Place = Pick<Location, 'start_line' | 'end_line' | 'start_column'>;

export type CodeOptions = {
  /** Also hides every quoted text and every value assigned to a name such as `password`. */
  literals?: boolean;
  /** Also hides everything that looks as random as a secret. */
  random?: boolean;
};

/** A line of a key or certificate that starts elsewhere. */
const encodedLine = /^[\s"'+]*[A-Za-z0-9+/]{40,}={0,2}(?:\\[nr])*[\s"'+,;\\]*$/;
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Replaces control characters except tabs and line breaks, and converts line breaks to Unix's. */
export const visible = (text: string): string => text.replaceAll('\r\n', '\n').replace(controls, '\uFFFD');

const asLines = (text: string): string[] =>
  text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));

/** The line break at the end of a file starts no line. */
const fileLines = (text: string): string[] => asLines(text.endsWith('\n') ? text.slice(0, -1) : text);

/**
 * Returns the lines around a location in a text that starts at line `start`; null if the text does not contain the
 * location.
 */
export function textAround(text: string, start: number, place: Place): NumberedLines | null {
  const around = linesAround(asLines(text), start, place);
  return around && { ...around, lines: around.lines.map((line) => line.slice(0, maxSearchedLine)) };
}

/** Redacts some lines of a file when its other lines are unknown. */
export function redactLines({ start, lines }: NumberedLines, path: string): NumberedLines | null {
  const bytes = Buffer.from(lines.join('\n'));
  if (!sharedEngine().mayContainSecret(bytes)) return { start, lines };
  const redacted = sharedEngine().redact(bytes, path);
  return redacted === null ? null : { start, lines: redacted.split('\n') };
}

/**
 * Returns a function that redacts the lines of a file around locations. A small file is searched once for all locations;
 * in a larger one, each part with locations is searched once. The function returns null for binary content, and for a
 * location outside the file.
 */
export function createFileRedactor(content: Buffer, path: string): (place: Place) => NumberedLines | null {
  const bytes = searchableBytes(content);
  if (!bytes) return () => null;
  const redact = (part: Uint8Array, start: number): NumberedLines => ({
    start,
    lines: fileLines(sharedEngine().redact(part, path) ?? ''),
  });
  if (bytes.length <= wholeFile) {
    let whole: NumberedLines | null = null;
    return () => {
      whole ??= redact(bytes, 1);
      return whole;
    };
  }
  const starts = lineStarts(bytes);
  const parts = new Map<number, NumberedLines | null>();
  return ({ start_line: line }) => {
    const offset = starts[(line ?? 1) - 1];
    if (offset === undefined) return null;
    const part = Math.floor(offset / searchedAround);
    if (!parts.has(part)) {
      // Whole lines, at least as far around as the part's first and last location need.
      const first = lastAtMost(starts, (part - 1) * searchedAround);
      const next = starts[lastAtMost(starts, (part + 2) * searchedAround) + 1] ?? bytes.length;
      const isLong = next - starts[first]! > wholeFile;
      parts.set(part, isLong ? null : redact(bytes.subarray(starts[first], next), first + 1));
    }
    return parts.get(part)!;
  };
}

function lineStarts(bytes: Uint8Array): number[] {
  const starts = [0];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) starts.push(at + 1);
  return starts;
}

/** Returns the index of the last of ascending numbers that is at most `bound`; 0 if none is. */
function lastAtMost(ascending: number[], bound: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (ascending[middle]! <= bound) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns up to nine lines around a location; null if it isn't among the lines. */
function linesAround(lines: string[], start: number, { start_line, end_line }: Place): NumberedLines | null {
  if (start_line === null || start_line < start || start_line >= start + lines.length) return null;
  const length = Math.max(1, (end_line ?? start_line) - start_line + 1);
  const before = Math.floor(Math.max(0, maxLines - length) / 2);
  const from = Math.max(start, start_line - before);
  return { start: from, lines: lines.slice(from - start, from - start + maxLines) };
}

/** Returns the redacted lines around a location, at most nine and 4 kB; null if there are none. */
export function codeAt(redacted: NumberedLines | null, place: Place, options: CodeOptions = {}): Code | null {
  const around = redacted && linesAround(redacted.lines, redacted.start, place);
  if (!around || around.lines.every((line) => line.trim() === '')) return null;
  const column = place.start_column ?? 1;
  const lines = around.lines.map((line, index) =>
    shownLine(line, around.start + index === place.start_line ? column : 1, options),
  );
  let { start } = around;
  while (Buffer.byteLength(lines.join('\n')) > maxBytes) {
    const isFirstNearer = place.start_line! - start < start + lines.length - 1 - place.start_line!;
    if (isFirstNearer) lines.pop();
    else {
      lines.shift();
      start += 1;
    }
  }
  return { start_line: start, lines };
}

function hideMore(line: string, { literals = false, random = false }: CodeOptions): string {
  if (encodedLine.test(line)) return redactedSecret;
  const hidden = literals ? without([line], literalsIn(line))[0]! : line;
  return random ? withoutRandom(hidden) : hidden;
}

function shownLine(line: string, given: number, options: CodeOptions): string {
  const column = given > line.length ? 1 : given;
  const start = line.length > maxSearchedLine ? Math.max(0, column - maxSearchedLine / 2) : 0;
  const part = hideMore(visible(line.slice(start, start + maxSearchedLine)), options);
  const own = column - start;
  const from = part.length > maxLineLength && own > maxLineLength ? Math.min(own - beforeColumn, part.length - 1) : 0;
  // With its truncation marks, the line is no longer than an untruncated one.
  const to = from + (part.length > maxLineLength || start > 0 ? maxLineLength - 2 : maxLineLength);
  const isCut = to < part.length || start + maxSearchedLine < line.length;
  return `${start + from > 0 ? '…' : ''}${part.slice(from, to).toWellFormed()}${isCut ? '…' : ''}`;
}
