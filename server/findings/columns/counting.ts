import type { Codes } from './arrays.ts';
import { type Bits, countBits, countRows, hasRow } from './bits.ts';
import type { FindingColumns } from './finding-columns.ts';
import type { CodeColumn } from './stored.ts';
import type { Flag, ListColumn, TextColumn } from './term.ts';

/** Counts the rows that two sets have in common. */
function countCommon(bits: Bits, others: Bits): number {
  const end = Math.min(bits.length, others.length);
  let count = 0;
  for (let index = 0; index < end; index++) count += countBits(bits[index]! & others[index]!);
  return count;
}

/** Counts the rows of a set by a code; with `outside`, the rows outside it. */
function countCodes(bits: Bits, codes: Codes, count: number, size: number, outside: boolean): Uint32Array {
  const counts = new Uint32Array(count);
  const flip = outside ? 0xffffffff : 0;
  for (let index = 0; index < bits.length; index++) {
    let word = (bits[index]! ^ flip) >>> 0;
    if (index === size >>> 5) word &= 2 ** (size & 31) - 1;
    if (word === 0xffffffff) {
      for (let row = index * 32, end = row + 32; row < end; row++) counts[codes[row]!]! += 1;
      continue;
    }
    for (; word !== 0; word &= word - 1) counts[codes[index * 32 + 31 - Math.clz32(word & -word)]!]! += 1;
  }
  return counts;
}

/** A set of rows and its size. */
export type Selection = { bits: Bits; count: number };
export const selectionOf = (bits: Bits): Selection => ({ bits, count: countRows(bits) });

/** Counts the rows of a set by the codes of a column. */
export function countByCode({ bits, count }: Selection, column: CodeColumn<unknown>, size: number): Uint32Array {
  const { counts, codes, sets } = column;
  if (count === size) return counts.slice();
  if (sets !== null) return Uint32Array.from(sets, (set) => countCommon(bits, set));
  if (count <= size / 2) return countCodes(bits, codes, counts.length, size, false);
  // Most rows are in the set: counting the rows outside it is faster.
  const others = countCodes(bits, codes, counts.length, size, true);
  return counts.map((all, code) => all - others[code]!);
}

/** Counts the rows of a set by severity, the stored rank (0-4). */
export const countSeverities = (columns: FindingColumns, { bits }: Selection): number[] =>
  columns.severities.map((set) => countCommon(bits, set.bits));

/** Counts the rows of a set by the values of a column. A list counts once for each of its distinct values. */
export function countValues(
  columns: FindingColumns,
  selection: Selection,
  column: TextColumn | ListColumn,
): Map<string | null, number> {
  if (column in columns.texts) {
    const found = new Map<string | null, number>();
    const text = columns.texts[column as TextColumn];
    countByCode(selection, text, columns.size).forEach((count, code) => {
      if (count > 0) found.set(text.value(code), count);
    });
    return found;
  }
  const list = columns.lists[column as ListColumn];
  return list.countItems(countByCode(selection, list, columns.size));
}

/** Counts the rows of a set by flags of which a row has at most one; rows without any are `none`. */
export function countFlags(
  columns: FindingColumns,
  { bits, count }: Selection,
  flags: Readonly<Record<string, Flag>>,
): Map<string, number> {
  const counts = Object.entries(flags).map(
    ([value, flag]) => [value, countCommon(bits, columns.flags[flag].bits)] as const,
  );
  return new Map([...counts, ['none', counts.reduce((rest, [, found]) => rest - found, count)]]);
}

/** The findings with a value: the count per severity (by rank), and the newest last-seen time in microseconds. */
export type Group = { value: string; count: number; bySeverity: number[]; lastSeenAt: number };

/** Rows are collected until there are this many: loops over them without branches take half as long as a single loop. */
const collected = 4_096;

/** Calls `visit` with the rows of a set whose code has a place, in pieces: the first `count` of `rows`. */
function visitPlaced(bits: Bits, codes: Codes, places: Uint8Array, visit: (rows: Uint32Array, count: number) => void) {
  const rows = new Uint32Array(collected + 32);
  let count = 0;
  for (let index = 0; index < bits.length; index++) {
    const all = bits[index]!;
    if (all === 0xffffffff) {
      for (let row = index * 32, end = row + 32; row < end; row++) {
        rows[count] = row;
        count += places[codes[row]!]!;
      }
    } else {
      for (let word = all; word !== 0; word &= word - 1) {
        const row = index * 32 + 31 - Math.clz32(word & -word);
        rows[count] = row;
        count += places[codes[row]!]!;
      }
    }
    if (count < collected) continue;
    visit(rows, count);
    count = 0;
  }
  visit(rows, count);
}

/** Returns the groups of a set's rows with these values of a column, in the order of the values. */
export function describeGroups(
  columns: FindingColumns,
  { bits }: Selection,
  column: TextColumn,
  values: string[],
): Group[] {
  const text = columns.texts[column];
  const { codes } = text;
  const places = new Uint32Array(text.count);
  const isPlaced = new Uint8Array(text.count);
  for (const [place, value] of values.entries()) {
    places[text.find(value)!] = place;
    isPlaced[text.find(value)!] = 1;
  }
  const severities = columns.numbers('severity');
  const sightings = columns.numbers('lastSeenAt');
  const [sources, dataSources] = [columns.texts.source, columns.texts.dataSourceId];
  const [sourceCodes, dataSourceCodes, sourceCount] = [sources.codes, dataSources.codes, sources.count];
  /** The time of the last scan, by the codes of data source and source. */
  const scans = new Float64Array(dataSources.count * sourceCount);
  for (const [code, id] of dataSources.values().entries()) {
    const lastScans = columns.dataSource(id!)?.lastScans ?? {};
    for (const [source, name] of sources.values().entries()) scans[code * sourceCount + source] = lastScans[name!] ?? 0;
  }
  const { bits: seenLast } = columns.flags.seenLast;
  const counts = new Uint32Array(values.length * 5);
  const last = new Float64Array(values.length);
  visitPlaced(bits, codes, isPlaced, (rows, count) => {
    for (let index = 0; index < count; index++) {
      const row = rows[index]!;
      counts[places[codes[row]!]! * 5 + severities[row]!]! += 1;
    }
    for (let index = 0; index < count; index++) {
      const row = rows[index]!;
      // A scan that saw a finding again wrote no time; the time of the last scan applies.
      const scan = scans[dataSourceCodes[row]! * sourceCount + sourceCodes[row]!]! * Number(hasRow(seenLast, row));
      const seen = Math.max(sightings[row]!, scan);
      const place = places[codes[row]!]!;
      if (seen > last[place]!) last[place] = seen;
    }
  });
  return values.map((value, place) => {
    const bySeverity = [...counts.subarray(place * 5, place * 5 + 5)];
    return { value, count: bySeverity.reduce((sum, count) => sum + count, 0), bySeverity, lastSeenAt: last[place]! };
  });
}
