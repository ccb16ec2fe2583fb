import { withRoom } from './arrays.ts';
import { addRow, type Bits, hasRow } from './bits.ts';
import { compareIds } from './id-words.ts';
import { meetsAll, type Predicate, RowTest } from './predicates.ts';
import { sortByDigit } from './sort-by-digit.ts';

type Numbers = Uint8Array | Uint32Array | Float64Array;

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
function sortAll({ numbers, ids, count }: Keys): Uint32Array<ArrayBuffer> {
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
    const isShort = column instanceof Uint32Array;
    const digits = isShort ? new Uint16Array(column.buffer, 0, count * 2) : orderedBits(column, count);
    const stride = isShort ? 2 : 4;
    for (let digit = 0; digit < stride; digit++) sort(digits, stride, digit);
  }
  return rows;
}

/**
 * A contiguous part of an order: the index of its first row and the one behind its last, in the large part and among those that
 * wait.
 */
export type Section = { low: number; high: number; recentLow: number; recentHigh: number };

type SectionRequest = {
  /** The numbers of the order's first column. */
  range?: { from: number; before: number } | null;
  /** Behind which the section begins, in either direction. */
  after?: Place | null;
  descending?: boolean;
};

/** Returns the index of the first row that is not before; rows of `skipped` are not where they belong. */
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

/** Both parts of an order, as they are being joined. */
type Fold = {
  rows: Uint32Array<ArrayBuffer>;
  count: number;
  /** The index in the large part of the next row, and of the one before which the next of the small part belongs. */
  next: number;
  end: number;
  recent: readonly number[];
  placed: number;
  /** The rows that have moved since it began. */
  moved: Bits;
};

/** The rows of the large part of which one step of a fold takes as long as finding a place among them. */
const searchSteps = 50;

/** When more rows than one in so many have moved, sorting all takes no longer. */
const sortShare = 8;

/** An order as it is stored: its large part, and the rows that are not where that has them. */
export type StoredOrder = { main: Uint32Array<ArrayBuffer>; moved: Uint32Array<ArrayBuffer> };

/**
 * The rows in an order: a large sorted part, and a small one with the rows that are new or whose key has changed since. Reads
 * merge both; `fold` joins them step by step, while reads and changes go on.
 */
export class SortedRows {
  #main: Uint32Array<ArrayBuffer>;
  /** The rows that are not where the large part has them, if it has them at all. */
  #moved: Bits;
  /** The same rows in their order, without those in `#fresh`. The array itself is never changed. */
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

  /** Returns the order, in arrays that stay as they are. */
  store(): StoredOrder {
    return { main: this.#main, moved: Uint32Array.from(new Set([...this.#recent, ...this.#fresh])) };
  }

  /** Notes that a row is new or that its key has changed. */
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
   * Joins the two parts once the small one is larger than `max`, in steps: a call looks at no more than about `maxRows` rows. Returns
   * whether there is more to do.
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

  /** Returns the part of the order in a range of its first column and behind a place. */
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
    // Descending, the place itself is the first that is left out; ascending, the last.
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

  /** Returns about how many rows a section has: the large part may have rows that have moved. */
  count({ low, high, recentLow, recentHigh }: Section): number {
    return high - low + recentHigh - recentLow;
  }

  /** Returns the rows of a section, in no order. */
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

  /** Returns the rows whose numbers are these, in no order. */
  listEqual(numbers: readonly number[]): Uint32Array {
    const [start, end] = [0, 0xffffffff].map((word) =>
      this.section({ after: { numbers, id: new Uint32Array(4).fill(word) } }),
    ) as [Section, Section];
    return this.list({ ...start, high: end.low, recentHigh: end.recentLow });
  }

  /** Returns the first of some rows behind a place, in either direction. */
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
    // Later rows are younger for the most part: with the first ones in front, few others take their place.
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
   * Returns the first rows of a section that meet all conditions, in either direction. Null when `maxVisited` rows of the large part
   * have too few.
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

  /** Adds the rows that wait to those of the large part. */
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
