import type { Codes } from './arrays.ts';
import { type Bits, countBits, hasRow } from './bits.ts';
import type { CodeColumn } from './stored.ts';
import type { NumberColumn } from './term.ts';

/** The numbers of a column from `from` (inclusive) to `before` (exclusive). */
export type Range = { column: NumberColumn; from: number; before: number };

/**
 * A condition on rows, for one row or for all. Each subclass repeats the loop, so that V8 compiles it for its own test.
 */
export abstract class Predicate {
  /** The estimated number of matching rows. */
  estimate = Number.NaN;
  /** Costs in nanoseconds: of a pass over all rows, per row; and of a test of any row. */
  readonly passCost: number = 1.3;
  readonly testCost: number = 25;
  /** The range of a column that contains exactly the matching rows, if there is one. */
  readonly range: Range | null = null;
  abstract test(row: number): boolean;
  /** Removes the rows that do not meet the condition from a set. */
  abstract restrict(bits: Bits): void;
  /** Whether `list` finds the matching rows without a pass over all rows. */
  get isListed(): boolean {
    return false;
  }
  /** Returns the matching rows, unordered. Requires `isListed`. */
  list(): Uint32Array {
    throw new Error('Only a pass finds these rows.');
  }
}

/** Returns whether a row meets all conditions. */
export function meetsAll(parts: readonly Predicate[], row: number): boolean {
  for (const part of parts) if (!part.test(row)) return false;
  return true;
}

/** The decision about a code: bit 1 is set once it is made, bit 0 if the code is accepted. */
const [unknown, rejected, accepted] = [0, 2, 3];

/** A word with at least this many rows is tested as a whole: a loop without branches visits four rows at the cost of one. */
const denseRows = 8;

/** Returns the number of the first words of a set in which every row has a value. */
const wholeWords = (bits: Bits, values: ArrayLike<number>): number => Math.min(bits.length, values.length >>> 5);

/** Removes the rows whose code is not accepted from a set. */
function restrictCodes(bits: Bits, codes: Codes, known: Uint8Array, decide: (code: number) => boolean): void {
  const whole = wholeWords(bits, codes);
  for (let index = 0; index < bits.length; index++) {
    const all = bits[index]!;
    if (all === 0) continue;
    if (index < whole && countBits(all) >= denseRows) {
      let [kept, made] = [0, rejected];
      for (let bit = 0, row = index * 32; bit < 32; bit++, row++) {
        const state = known[codes[row]!]!;
        kept |= (state & 1) << bit;
        made &= state;
      }
      bits[index] = all & kept;
      if (made !== 0) continue;
    }
    let kept = 0;
    for (let word = all; word !== 0; word &= word - 1) {
      const bit = 31 - Math.clz32(word & -word);
      const code = codes[index * 32 + bit]!;
      const state = known[code]!;
      if (state === accepted || (state === unknown && decide(code))) kept |= 1 << bit;
    }
    bits[index] = kept;
  }
}

/** Matches rows whose code is in a list. */
export class CodesTest extends Predicate {
  readonly #column: CodeColumn<unknown>;
  readonly #codes: Codes;
  readonly #accepted: readonly number[];
  readonly #known: Uint8Array;

  /** The codes have no duplicates. */
  constructor(column: CodeColumn<unknown>, codes: readonly number[]) {
    super();
    this.#column = column;
    this.#codes = column.codes;
    this.#accepted = codes;
    this.#known = new Uint8Array(column.count).fill(rejected);
    const { counts } = column;
    this.estimate = 0;
    for (const code of codes) {
      this.#known[code] = accepted;
      this.estimate += counts[code]!;
    }
  }

  test(row: number): boolean {
    return this.#known[this.#codes[row]!] === accepted;
  }

  restrict(bits: Bits): void {
    restrictCodes(bits, this.#codes, this.#known, () => false);
  }

  override get isListed(): boolean {
    return this.#column.isListed(this.#accepted);
  }

  override list(): Uint32Array {
    return this.#column.list(this.#accepted, (code) => this.#known[code] === accepted);
  }
}

/** Matches rows whose code is accepted; each code is decided once. */
export class DecidedTest extends Predicate {
  override readonly testCost = 35;
  readonly #codes: Codes;
  readonly #known: Uint8Array;
  readonly #decide: (code: number) => boolean;

  constructor(codes: Codes, known: Uint8Array, decide: (code: number) => boolean) {
    super();
    this.#codes = codes;
    this.#known = known;
    this.#decide = (code) => {
      const isAccepted = decide(code);
      known[code] = isAccepted ? accepted : rejected;
      return isAccepted;
    };
  }

  test(row: number): boolean {
    const code = this.#codes[row]!;
    const state = this.#known[code];
    return state === unknown ? this.#decide(code) : state === accepted;
  }

  restrict(bits: Bits): void {
    restrictCodes(bits, this.#codes, this.#known, this.#decide);
  }
}

/** Matches rows whose number is at least `from` and less than `before`. NaN means no upper bound. */
export class RangeTest extends Predicate {
  override readonly range: Range;
  readonly #numbers: Uint8Array | Uint32Array | Float32Array | Float64Array;
  readonly #found: { list(): Uint32Array } | null;

  /** `found` are the matching rows, if an order by the number provides them. */
  constructor(
    numbers: Uint8Array | Uint32Array | Float32Array | Float64Array,
    range: Range,
    found: { count: number; list(): Uint32Array } | null,
  ) {
    super();
    this.#numbers = numbers;
    this.range = range;
    this.#found = found;
    this.estimate = found?.count ?? Number.NaN;
  }

  test(row: number): boolean {
    const value = this.#numbers[row]!;
    return value >= this.range.from && !(value >= this.range.before);
  }

  restrict(bits: Bits): void {
    const numbers = this.#numbers;
    const { from, before } = this.range;
    const whole = wholeWords(bits, numbers);
    for (let index = 0; index < bits.length; index++) {
      const all = bits[index]!;
      let kept = 0;
      if (index < whole && countBits(all) >= denseRows) {
        for (let bit = 0, row = index * 32; bit < 32; bit++, row++) {
          const value = numbers[row]!;
          kept |= (Number(value >= from) & (Number(value >= before) ^ 1)) << bit;
        }
        bits[index] = all & kept;
        continue;
      }
      for (let word = all; word !== 0; word &= word - 1) {
        const bit = 31 - Math.clz32(word & -word);
        const value = numbers[index * 32 + bit]!;
        if (value >= from && !(value >= before)) kept |= 1 << bit;
      }
      bits[index] = kept;
    }
  }

  override get isListed(): boolean {
    return this.#found !== null;
  }

  override list(): Uint32Array {
    return this.#found!.list();
  }
}

/** Matches rows whose number is in a list. */
export class NumbersTest extends Predicate {
  readonly #numbers: Uint32Array;
  readonly #accepted: Bits;

  constructor(numbers: Uint32Array, accepted: Iterable<number> & { length: number }) {
    super();
    this.#numbers = numbers;
    let largest = 0;
    for (const number of accepted) largest = Math.max(largest, number);
    this.#accepted = new Uint32Array((largest >>> 5) + 1);
    for (const number of accepted) this.#accepted[number >>> 5]! |= 1 << (number & 31);
    this.estimate = accepted.length;
  }

  test(row: number): boolean {
    const number = this.#numbers[row]!;
    return number >>> 5 < this.#accepted.length && hasRow(this.#accepted, number);
  }

  restrict(bits: Bits): void {
    for (let index = 0; index < bits.length; index++) {
      let kept = 0;
      for (let word = bits[index]!; word !== 0; word &= word - 1) {
        const bit = 31 - Math.clz32(word & -word);
        if (this.test(index * 32 + bit)) kept |= 1 << bit;
      }
      bits[index] = kept;
    }
  }
}

/** Matches the rows of a set. */
export class RowTest extends Predicate {
  override readonly passCost = 0.05;
  override readonly testCost = 10;
  override readonly range: Range | null;
  readonly #rows: Bits;

  /** `count` is the number of rows in the set. */
  constructor(rows: Bits, count: number, range: Range | null = null) {
    super();
    this.#rows = rows;
    this.range = range;
    this.estimate = count;
  }

  test(row: number): boolean {
    return hasRow(this.#rows, row);
  }

  restrict(bits: Bits): void {
    const end = Math.min(bits.length, this.#rows.length);
    for (let index = 0; index < end; index++) bits[index]! &= this.#rows[index]!;
    bits.fill(0, end);
  }
}

/** Matches a few listed rows. */
export class ListedTest extends Predicate {
  readonly #rows: Uint32Array;
  readonly #bits: Bits;

  /** `bits` is an empty set with room for all rows. */
  constructor(rows: Uint32Array, bits: Bits) {
    super();
    this.#rows = rows;
    this.#bits = bits;
    for (const row of rows) bits[row >>> 5]! |= 1 << (row & 31);
    this.estimate = rows.length;
  }

  test(row: number): boolean {
    return hasRow(this.#bits, row);
  }

  restrict(bits: Bits): void {
    for (let index = 0; index < bits.length; index++) bits[index]! &= this.#bits[index]!;
  }

  override get isListed(): boolean {
    return true;
  }

  override list(): Uint32Array {
    return this.#rows;
  }
}

/** Matches rows that every part matches. */
export class EveryTest extends Predicate {
  readonly #parts: readonly Predicate[];
  override readonly passCost: number;
  override readonly testCost: number;

  constructor(parts: readonly Predicate[]) {
    super();
    this.#parts = parts;
    this.passCost = parts.reduce((sum, part) => sum + part.passCost, 0);
    this.testCost = parts.reduce((sum, part) => sum + part.testCost, 0);
  }

  test(row: number): boolean {
    return meetsAll(this.#parts, row);
  }

  restrict(bits: Bits): void {
    for (const part of this.#parts) part.restrict(bits);
  }
}

/** Matches rows that any part matches. */
export class SomeTest extends Predicate {
  readonly #parts: readonly Predicate[];
  override readonly passCost: number;
  override readonly testCost: number;
  override readonly range: Range | null;

  constructor(parts: readonly Predicate[], range: Range | null = null) {
    super();
    this.#parts = parts;
    this.range = range;
    this.passCost = parts.reduce((sum, part) => sum + part.passCost, 0);
    this.testCost = parts.reduce((sum, part) => sum + part.testCost, 0);
  }

  test(row: number): boolean {
    for (const part of this.#parts) if (part.test(row)) return true;
    return false;
  }

  restrict(bits: Bits): void {
    const left = bits.slice();
    bits.fill(0);
    for (const part of this.#parts) {
      const found = left.slice();
      part.restrict(found);
      for (let index = 0; index < bits.length; index++) {
        bits[index]! |= found[index]!;
        left[index]! &= ~found[index]!;
      }
    }
  }
}

/** Matches rows that the part does not match. */
export class NotTest extends Predicate {
  readonly #part: Predicate;
  override readonly passCost: number;
  override readonly testCost: number;

  /** `size` is the number of all rows. */
  constructor(part: Predicate, size: number) {
    super();
    this.#part = part;
    this.passCost = part.passCost;
    this.testCost = part.testCost;
    this.estimate = Math.max(0, size - part.estimate);
  }

  test(row: number): boolean {
    return !this.#part.test(row);
  }

  restrict(bits: Bits): void {
    const found = bits.slice();
    this.#part.restrict(found);
    for (let index = 0; index < bits.length; index++) bits[index]! &= ~found[index]!;
  }
}
