import { withRoom } from './arrays.ts';
import { addRow, type Bits, hasRow } from './bits.ts';
import { compareIds } from './id-words.ts';
import { meetsAll, type Predicate, RowTest } from './predicates.ts';
import { sortByDigit } from './sort-by-digit.ts';

type Numbers = Uint8Array | Uint32Array | Float64Array;

/**
 * The keys of an order: the numbers, most significant first, and then the words of the ids. Rows whose numbers are all
 * zero may be missing if `skipsZeros` is set.
 */
export type Keys = { numbers: readonly Numbers[]; ids: Uint32Array; count: number; skipsZeros?: true };

/** A position in an order after which a page starts: its numbers and the words of its id. */
export type Place = { numbers: readonly number[]; id: Uint32Array };

/** Returns the bits of the numbers as 64-bit integers that sort like the numbers. */
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

/** Sorts all rows by their keys, in linear time. */
function sortAll({ numbers, ids, count, skipsZeros }: Keys): Uint32Array<ArrayBuffer> {
  let rows = new Uint32Array(count);
  let used = 0;
  for (let row = 0; row < count; row++)
    if (!skipsZeros || numbers.some((column) => column[row] !== 0)) rows[used++] = row;
  if (used < count) rows = rows.slice(0, used);
  let spare = new Uint32Array(used);
  const sort = (words: Uint8Array | Uint16Array, stride: number, offset: number) => {
    const sorted = sortByDigit(words, stride, offset, rows, spare);
    if (sorted === spare) [rows, spare] = [spare, rows];
  };
  const idDigits = new Uint16Array(ids.buffer, ids.byteOffset, count * 8);
  // Most findings arrive in the order of their ids.
  const isById = rows.every((row) => row === 0 || compareIds(ids, (row - 1) * 4, ids, row * 4) < 0);
  for (let word = 3; word >= 0 && !isById; word--) for (const half of [0, 1]) sort(idDigits, 8, word * 2 + half);
  for (const column of numbers.toReversed()) {
    if (column instanceof Uint8Array) {
      sort(column, 1, 0);
      continue;
    }
    const isShort = column instanceof Uint32Array;
    const digits = isShort ? new Uint16Array(column.buffer, 0, count * 2) : orderedBits(column, count);
    const stride = isShort ? 2 : 4;
    for (let digit = 0; digit < stride; digit++) sort(digits, stride, digit);
  }
  return rows;
}

/** A contiguous part of an order: the first index and the end index, in the large part and among the recent rows. */
export type Section = { low: number; high: number; recentLow: number; recentHigh: number };

type SectionRequest = {
  /** A range of the order's first column. */
  range?: { from: number; before: number } | null;
  /** The position after which the section starts, in either direction. */
  after?: Place | null;
  descending?: boolean;
};

/** Returns the index of the first row that is not before; rows in `skipped` are out of place and ignored. */
function firstOf(rows: ArrayLike<number>, from: number, skipped: Bits | null, isBefore: (row: number) => boolean) {
  let [low, high] = [from, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    let index = middle;
    while (skipped && index < high && hasRow(skipped, rows[index]!)) index++;
    if (index === high) high = middle;
    else if (isBefore(rows[index]!)) low = index + 1;
    else high = middle;
  }
  return low;
}

/** Both parts of an order while they are merged. */
type Fold = {
  rows: Uint32Array<ArrayBuffer>;
  count: number;
  /** The index of the next row in the large part, and of the row there that the next row of the small part precedes. */
  next: number;
  end: number;
  recent: readonly number[];
  placed: number;
  /** The rows that have moved since the merge started. */
  moved: Bits;
};

/** Finding a position among the rows of the large part takes as long as merging this many of them. */
const searchSteps = 50;

/** If more than one in this many rows has moved, sorting all rows is as fast. */
const sortShare = 8;

/** The stored form of an order: its large part, and the rows that are out of place in it. */
export type StoredOrder = { main: Uint32Array<ArrayBuffer>; moved: Uint32Array<ArrayBuffer> };

/**
 * The rows in an order: a large sorted part, and a small part with rows that are new or whose key has changed. Reads
 * merge both; `fold` merges them step by step while reads and changes continue.
 */
export class SortedRows {
  #main: Uint32Array<ArrayBuffer>;
  /** The rows that are missing from the large part or out of place in it. */
  #moved: Bits;
  /** The same rows in order, without those in `#fresh`. The array itself is never mutated. */
  #recent: number[] = [];
  readonly #fresh = new Set<number>();
  #fold: Fold | null = null;
  readonly #keys: () => Keys;

  constructor(keys: () => Keys, stored?: StoredOrder) {
    this.#keys = keys;
    const now = keys();
    this.#main = stored?.main ?? sortAll(now);
    this.#moved = new Uint32Array((now.count + 31) >>> 5);
    for (const row of stored?.moved ?? []) this.moved(row);
  }

  get bytes(): number {
    const { rows, moved } = this.#fold ?? {};
    const folded = (rows?.byteLength ?? 0) + (moved?.byteLength ?? 0);
    return this.#main.byteLength + this.#moved.byteLength + folded + (this.#recent.length + this.#fresh.size) * 8;
  }

  /** Returns the order, in arrays that are never mutated. */
  store(): StoredOrder {
    return { main: this.#main, moved: Uint32Array.from(new Set([...this.#recent, ...this.#fresh])) };
  }

  /** Records that a row is new or that its key has changed. */
  moved(row: number): void {
    this.#moved = withRoom(this.#moved, (row >>> 5) + 1);
    addRow(this.#moved, row);
    this.#fresh.add(row);
    if (this.#fold === null) return;
    this.#fold.moved = withRoom(this.#fold.moved, (row >>> 5) + 1);
    addRow(this.#fold.moved, row);
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
    if (this.#fresh.size === 0) return;
    if (this.#recent.length + this.#fresh.size > keys.count / sortShare) {
      this.#main = sortAll(keys);
      this.#moved.fill(0);
      [this.#recent, this.#fold] = [[], null];
      this.#fresh.clear();
      return;
    }
    const known = this.#recent.filter((row) => !this.#fresh.has(row));
    const merged: number[] = [];
    let next = 0;
    for (const row of [...this.#fresh].sort((one, other) => this.#compare(one, other, keys))) {
      const end = firstOf(known, next, null, (other) => this.#compare(other, row, keys) < 0);
      while (next < end) merged.push(known[next++]!);
      merged.push(row);
    }
    while (next < known.length) merged.push(known[next++]!);
    this.#recent = merged;
    this.#fresh.clear();
  }

  /**
   * Merges the two parts once the small one has more than `max` rows. It works in steps: a call visits about `maxRows`
   * rows at most. Returns whether there is more to do.
   */
  fold(max: number, maxRows: number): boolean {
    const keys = this.#keys();
    if (this.#fold === null && this.#recent.length + this.#fresh.size <= max) return false;
    if (this.#fold === null) {
      this.#sortRecent(keys);
      const rows = new Uint32Array(this.#main.length + this.#recent.length);
      const moved = new Uint32Array(this.#moved.length);
      this.#fold = { rows, moved, count: 0, next: 0, end: -1, recent: this.#recent, placed: 0 };
    }
    const fold = this.#fold;
    const [main, moved] = [this.#main, this.#moved];
    for (let left = maxRows; left > 0; ) {
      const row = fold.recent[fold.placed];
      if (row !== undefined && hasRow(fold.moved, row)) {
        fold.placed += 1;
        fold.end = -1;
        continue;
      }
      if (fold.end < 0) {
        left -= searchSteps;
        const isBefore = (other: number) => this.#compare(other, row!, keys) < 0;
        fold.end = row === undefined ? main.length : firstOf(main, fold.next, moved, isBefore);
      }
      const end = Math.min(fold.end, fold.next + Math.max(1, left));
      left -= end - fold.next;
      let count = fold.count;
      for (let index = fold.next; index < end; index++) {
        const other = main[index]!;
        if (!hasRow(moved, other)) fold.rows[count++] = other;
      }
      [fold.next, fold.count] = [end, count];
      if (end < fold.end) continue;
      if (row === undefined) {
        this.#finish(fold);
        return this.#recent.length + this.#fresh.size > max;
      }
      fold.rows[fold.count++] = row;
      fold.placed += 1;
      fold.end = -1;
    }
    return true;
  }

  #finish({ rows, count, moved }: Fold): void {
    this.#main = rows.subarray(0, count);
    this.#moved = moved;
    this.#recent = this.#recent.filter((row) => hasRow(moved, row));
    this.#fold = null;
  }

  /** Returns the part of the order in a range of its first column and after a position. */
  section({ range = null, after = null, descending = false }: SectionRequest): Section {
    const keys = this.#keys();
    this.#sortRecent(keys);
    const [first] = keys.numbers as readonly [Numbers];
    const find = (isBefore: (row: number) => boolean) => ({
      main: firstOf(this.#main, 0, this.#moved, isBefore),
      recent: firstOf(this.#recent, 0, null, isBefore),
    });
    const lows = range && range.from > Number.NEGATIVE_INFINITY ? [find((row) => first[row]! < range.from)] : [];
    const highs = range && !Number.isNaN(range.before) ? [find((row) => first[row]! < range.before)] : [];
    // Descending, the position itself is the first excluded row; ascending, the last.
    if (after && descending) highs.push(find((row) => this.#compareTo(row, after, keys) < 0));
    else if (after) lows.push(find((row) => this.#compareTo(row, after, keys) <= 0));
    const [low, recentLow] = [
      Math.max(0, ...lows.map(({ main }) => main)),
      Math.max(0, ...lows.map(({ recent }) => recent)),
    ];
    return {
      low,
      recentLow,
      high: Math.max(low, Math.min(this.#main.length, ...highs.map(({ main }) => main))),
      recentHigh: Math.max(recentLow, Math.min(this.#recent.length, ...highs.map(({ recent }) => recent))),
    };
  }

  /** Returns the approximate number of rows in a section: the large part may contain moved rows. */
  count({ low, high, recentLow, recentHigh }: Section): number {
    return high - low + recentHigh - recentLow;
  }

  /** Returns the rows of a section, unordered. */
  list(section: Section): Uint32Array {
    const rows = new Uint32Array(this.count(section));
    let next = 0;
    for (let index = section.low; index < section.high; index++) {
      const row = this.#main[index]!;
      if (!hasRow(this.#moved, row)) rows[next++] = row;
    }
    for (let index = section.recentLow; index < section.recentHigh; index++) rows[next++] = this.#recent[index]!;
    return rows.subarray(0, next);
  }

  /** Returns the rows with these numbers, unordered. */
  listEqual(numbers: readonly number[]): Uint32Array {
    const [start, end] = [0, 0xffffffff].map((word) =>
      this.section({ after: { numbers, id: new Uint32Array(4).fill(word) } }),
    ) as [Section, Section];
    return this.list({ ...start, high: end.low, recentHigh: end.recentLow });
  }

  /** Returns the first of some rows after a position, in either direction. */
  first(rows: Uint32Array, after: Place | null, descending: boolean, limit: number): number[] {
    const keys = this.#keys();
    const step = descending ? -1 : 1;
    const compare = (one: number, other: number) => this.#compare(one, other, keys) * step;
    const found: number[] = [];
    let last: number | null = null;
    const cut = () => {
      found.sort(compare);
      found.length = Math.min(found.length, limit);
      if (found.length === limit) last = found.at(-1)!;
    };
    // Higher rows are mostly newer: with the first matches in place, few later rows displace them.
    for (let index = 0; index < rows.length; index++) {
      const row = rows[descending ? rows.length - 1 - index : index]!;
      if (last !== null && compare(row, last) >= 0) continue;
      if (after && this.#compareTo(row, after, keys) * step <= 0) continue;
      found.push(row);
      if (found.length >= 4 * limit) cut();
    }
    cut();
    return found;
  }

  /**
   * Returns the first rows of a section that meet all conditions, in either direction. Null if the first `maxVisited`
   * rows of the large part have too few matches.
   */
  take(
    { low, high, recentLow, recentHigh }: Section,
    parts: readonly Predicate[],
    { descending, limit }: { descending: boolean; limit: number },
    maxVisited: number,
  ): number[] | null {
    const step = descending ? -1 : 1;
    const keys = this.#keys();
    const found: number[] = [];
    const end = descending ? Math.max(low, high - maxVisited) : Math.min(high, low + maxVisited);
    const behind = descending ? end - 1 : end;
    for (let index = descending ? high - 1 : low; index !== behind; index += step) {
      const row = this.#main[index]!;
      if (hasRow(this.#moved, row) || !meetsAll(parts, row)) continue;
      found.push(row);
      if (found.length === limit) break;
    }
    if (found.length < limit && end !== (descending ? low : high)) return null;
    return this.#merge(found, parts, { descending, limit, recentLow, recentHigh }, keys);
  }

  /** Returns the first rows of a section that are in a set, in either direction. */
  takeOf(
    { low, high, recentLow, recentHigh }: Section,
    bits: Bits,
    { descending, limit }: { descending: boolean; limit: number },
  ): number[] {
    const main = this.#main;
    const moved = this.#moved;
    const found: number[] = [];
    if (descending) {
      for (let index = high - 1; index >= low && found.length < limit; index--)
        if (hasRow(bits, main[index]!) && !hasRow(moved, main[index]!)) found.push(main[index]!);
    } else {
      for (let index = low; index < high && found.length < limit; index++)
        if (hasRow(bits, main[index]!) && !hasRow(moved, main[index]!)) found.push(main[index]!);
    }
    return this.#merge(found, [new RowTest(bits, 0)], { descending, limit, recentLow, recentHigh }, this.#keys());
  }

  /** Merges the recent rows into those of the large part. */
  #merge(
    found: number[],
    parts: readonly Predicate[],
    given: { descending: boolean; limit: number; recentLow: number; recentHigh: number },
    keys: Keys,
  ): number[] {
    const { descending, limit, recentLow, recentHigh } = given;
    const step = descending ? -1 : 1;
    const last = found.length === limit ? found.at(-1)! : null;
    const recent: number[] = [];
    const behind = descending ? recentLow - 1 : recentHigh;
    for (let index = descending ? recentHigh - 1 : recentLow; index !== behind; index += step) {
      const row = this.#recent[index]!;
      if (last !== null && this.#compare(row, last, keys) * step > 0) break;
      if (!meetsAll(parts, row)) continue;
      recent.push(row);
      if (recent.length === limit) break;
    }
    if (recent.length === 0) return found;
    return [...found, ...recent].sort((one, other) => this.#compare(one, other, keys) * step).slice(0, limit);
  }
}
