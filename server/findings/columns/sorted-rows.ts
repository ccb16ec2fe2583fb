import { addRow, hasRow } from './bits.ts';
import { compareIds } from './id-words.ts';
import { sortByDigit } from './sort-by-digit.ts';
import { withRoom } from './stored.ts';

type Numbers = Uint8Array | Float64Array;

/** Where the keys of an order are: the numbers, the most significant first, and then the words of the ids. */
export type Keys = { numbers: readonly Numbers[]; ids: Uint32Array; count: number };

/** A place in an order, behind which a page begins: its numbers, and the words of its id. */
export type Place = { numbers: readonly number[]; id: Uint32Array };

/** Returns the bits of numbers, whose order as 64-bit integers is that of the numbers. */
function orderedBits(numbers: Float64Array, count: number): Uint16Array {
  const values = numbers.slice(0, count);
  const words = new Uint32Array(values.buffer);
  for (let high = 1; high < words.length; high += 2) {
    if (words[high]! >>> 31 === 0) words[high]! ^= 0x80000000;
    else {
      words[high] = ~words[high]!;
      words[high - 1] = ~words[high - 1]!;
    }
  }
  return new Uint16Array(values.buffer);
}

/** Sorts all rows by their keys, in time that is linear in their number. */
function sortAll({ numbers, ids, count }: Keys): Uint32Array {
  let rows = new Uint32Array(count);
  for (let row = 0; row < count; row++) rows[row] = row;
  let spare = new Uint32Array(count);
  const sort = (words: Uint8Array | Uint16Array, stride: number, offset: number) => {
    const sorted = sortByDigit(words, stride, offset, rows, spare);
    if (sorted === spare) [rows, spare] = [spare, rows];
  };
  const idDigits = new Uint16Array(ids.buffer, ids.byteOffset, count * 8);
  // Most findings come in the order of their ids.
  const isById = rows.every((row) => row === 0 || compareIds(ids, (row - 1) * 4, ids, row * 4) < 0);
  for (let word = 3; word >= 0 && !isById; word--) for (const half of [0, 1]) sort(idDigits, 8, word * 2 + half);
  for (const column of numbers.toReversed()) {
    if (column instanceof Uint8Array) {
      sort(column, 1, 0);
      continue;
    }
    const digits = orderedBits(column, count);
    for (let digit = 0; digit < 4; digit++) sort(digits, 4, digit);
  }
  return rows;
}

/**
 * The rows in an order: a large sorted part, and a small one with the rows that are new or whose key has changed since. Reads
 * merge both; `fold` joins them.
 */
export class SortedRows {
  #main: Uint32Array;
  /** The rows that are not where the large part has them, if it has them at all. */
  #moved: Uint32Array<ArrayBuffer>;
  #recent: number[] = [];
  #isSorted = true;
  readonly #keys: () => Keys;

  constructor(keys: () => Keys) {
    this.#keys = keys;
    const now = keys();
    this.#main = sortAll(now);
    this.#moved = new Uint32Array((now.count + 31) >> 5);
  }

  get bytes(): number {
    return this.#main.byteLength + this.#moved.byteLength + this.#recent.length * 8;
  }

  /** Notes that a row is new or that its key has changed. */
  moved(row: number): void {
    this.#moved = withRoom(this.#moved, (row >> 5) + 1);
    this.#isSorted = false;
    if (hasRow(this.#moved, row)) return;
    addRow(this.#moved, row);
    this.#recent.push(row);
  }

  #compare(one: number, other: number, { numbers, ids }: Keys): number {
    for (const column of numbers) {
      const [left, right] = [column[one]!, column[other]!];
      if (left !== right) return left < right ? -1 : 1;
    }
    return compareIds(ids, one * 4, ids, other * 4);
  }

  #compareTo(row: number, place: Place, { numbers, ids }: Keys): number {
    for (let index = 0; index < numbers.length; index++) {
      const [left, right] = [numbers[index]![row]!, place.numbers[index]!];
      if (left !== right) return left < right ? -1 : 1;
    }
    return compareIds(ids, row * 4, place.id, 0);
  }

  #sortRecent(keys: Keys): void {
    if (this.#isSorted) return;
    // The rows that were sorted before are runs, which the sort of an array merges.
    this.#recent.sort((one, other) => this.#compare(one, other, keys));
    this.#isSorted = true;
  }

  /** Returns the index in the large part of the first row that is not before; `compare` compares a row with the place. */
  #find(compare: (row: number) => number, from = 0): number {
    let [low, high] = [from, this.#main.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      let index = middle;
      while (index < high && hasRow(this.#moved, this.#main[index]!)) index++;
      if (index === high) high = middle;
      else if (compare(this.#main[index]!) < 0) low = index + 1;
      else high = middle;
    }
    return low;
  }

  /** Joins the two parts once the small one is larger than `max`; returns whether it did. */
  fold(max: number): boolean {
    if (this.#recent.length <= max) return false;
    const keys = this.#keys();
    if (this.#recent.length > keys.count / 8) this.#main = sortAll(keys);
    else {
      this.#sortRecent(keys);
      const folded = new Uint32Array(keys.count);
      let [next, index] = [0, 0];
      const copyUntil = (end: number) => {
        for (; index < end; index++) {
          const row = this.#main[index]!;
          if (!hasRow(this.#moved, row)) folded[next++] = row;
        }
      };
      for (const row of this.#recent) {
        copyUntil(this.#find((other) => this.#compare(other, row, keys), index));
        folded[next++] = row;
      }
      copyUntil(this.#main.length);
      this.#main = folded;
    }
    this.#moved.fill(0);
    this.#recent = [];
    this.#isSorted = true;
    return true;
  }

  /** Returns the first of some rows behind a place, in either direction. */
  first(rows: Uint32Array, after: Place | null, descending: boolean, limit: number): number[] {
    const keys = this.#keys();
    const step = descending ? -1 : 1;
    const found: number[] = [];
    for (const row of rows) {
      if (after && this.#compareTo(row, after, keys) * step <= 0) continue;
      if (found.length === limit && this.#compare(row, found[limit - 1]!, keys) * step >= 0) continue;
      const place = found.findLastIndex((other) => this.#compare(other, row, keys) * step < 0);
      found.splice(place + 1, 0, row);
      if (found.length > limit) found.pop();
    }
    return found;
  }

  /** Calls `visit` with the rows behind a place, in either direction, until it returns false. */
  walk(after: Place | null, descending: boolean, visit: (row: number) => boolean): void {
    const keys = this.#keys();
    this.#sortRecent(keys);
    const recent = this.#recent;
    const step = descending ? -1 : 1;
    let index = descending ? this.#main.length - 1 : 0;
    let other = descending ? recent.length - 1 : 0;
    if (after) {
      // Descending, the place itself is the first that is left out; ascending, the last.
      const isBefore = (row: number) => this.#compareTo(row, after, keys) < (descending ? 0 : 1);
      const found = this.#find((row) => (isBefore(row) ? -1 : 1));
      const foundRecent = recent.findIndex((row) => !isBefore(row));
      const recentEnd = foundRecent < 0 ? recent.length : foundRecent;
      index = descending ? found - 1 : found;
      other = descending ? recentEnd - 1 : recentEnd;
    }
    for (;;) {
      while (index >= 0 && index < this.#main.length && hasRow(this.#moved, this.#main[index]!)) index += step;
      const row = this.#main[index];
      const recentRow = recent[other];
      if (row === undefined && recentRow === undefined) return;
      const isRecent = row === undefined || (recentRow !== undefined && this.#compare(recentRow, row, keys) * step < 0);
      if (isRecent) other += step;
      else index += step;
      if (!visit(isRecent ? recentRow! : row)) return;
    }
  }
}
