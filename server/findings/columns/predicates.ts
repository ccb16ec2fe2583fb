import type { Codes } from './arrays.ts';
import { type Bits, hasRow } from './bits.ts';
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
  /** The cost of a pass over all rows, in nanoseconds per row. */
  readonly passCost: number = 1.5;
  /** The range of a column that contains exactly the matching rows, if there is one. */
  readonly range: Range | null = null;
  abstract test(row: number): boolean;
  /** Removes the rows that do not meet the condition from a set. */
  abstract restrict(bits: Bits): void;
  /** Returns the matching rows, unordered; null if only a pass finds them. */
  list(): Uint32Array | null {
    return null;
  }
}

/** Returns whether a row meets all conditions. */
export function meetsAll(parts: readonly Predicate[], row: number): boolean {
  for (const part of parts) if (!part.test(row)) return false;
  return true;
}

const unknown = 0;
const yes = 1;
const no = 2;

/** Removes the rows whose code is not accepted from a set. */
function restrictCodes(bits: Bits, codes: Codes, known: Uint8Array, decide: (code: number) => boolean): void {
  for (let index = 0; index < bits.length; index++) {
    let kept = 0;
    const all = bits[index]!;
    if (all === 0xffffffff) {
      for (let bit = 0, row = index * 32; bit < 32; bit++, row++) {
        const state = known[codes[row]!]!;
        if (state === yes || (state === unknown && decide(codes[row]!))) kept |= 1 << bit;
      }
      bits[index] = kept;
      continue;
    }
    for (let word = all; word !== 0; word &= word - 1) {
      const bit = 31 - Math.clz32(word & -word);
      const code = codes[index * 32 + bit]!;
      const state = known[code]!;
      if (state === yes || (state === unknown && decide(code))) kept |= 1 << bit;
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

  /** `accepted` has no duplicates. */
  constructor(column: CodeColumn<unknown>, accepted: readonly number[]) {
    super();
    this.#column = column;
    this.#codes = column.codes;
    this.#accepted = accepted;
    this.#known = new Uint8Array(column.count);
    const { counts } = column;
    this.estimate = 0;
    for (const code of accepted) {
      this.#known[code] = yes;
      this.estimate += counts[code]!;
    }
  }

  test(row: number): boolean {
    return this.#known[this.#codes[row]!] === yes;
  }

  restrict(bits: Bits): void {
    restrictCodes(bits, this.#codes, this.#known, () => false);
  }

  override list(): Uint32Array | null {
    return this.#column.list(this.#accepted, (code) => this.#known[code] === yes);
  }
}

/** Matches rows whose code is accepted; each code is decided once. */
export class DecidedTest extends Predicate {
  override readonly passCost = 3;
  readonly #codes: Codes;
  readonly #known: Uint8Array;
  readonly #decide: (code: number) => boolean;

  constructor(codes: Codes, known: Uint8Array, decide: (code: number) => boolean) {
    super();
    this.#codes = codes;
    this.#known = known;
    this.#decide = (code) => {
      const isAccepted = decide(code);
      known[code] = isAccepted ? yes : no;
      return isAccepted;
    };
  }

  test(row: number): boolean {
    const code = this.#codes[row]!;
    const state = this.#known[code];
    return state === unknown ? this.#decide(code) : state === yes;
  }

  restrict(bits: Bits): void {
    restrictCodes(bits, this.#codes, this.#known, this.#decide);
  }
}

/** Matches rows whose number is at least `from` and less than `before`. NaN means no upper bound. */
export class RangeTest extends Predicate {
  override readonly range: Range;
  readonly #numbers: Uint8Array | Uint32Array | Float32Array | Float64Array;
  readonly #list: () => Uint32Array | null;

  /** `found` are the matching rows, if an order by the number provides them. */
  constructor(
    numbers: Uint8Array | Uint32Array | Float32Array | Float64Array,
    range: Range,
    found: { count: number; list(): Uint32Array } | null,
  ) {
    super();
    this.#numbers = numbers;
    this.range = range;
    this.#list = () => found?.list() ?? null;
    this.estimate = found?.count ?? Number.NaN;
  }

  test(row: number): boolean {
    const value = this.#numbers[row]!;
    return value >= this.range.from && !(value >= this.range.before);
  }

  restrict(bits: Bits): void {
    const numbers = this.#numbers;
    const { from, before } = this.range;
    for (let index = 0; index < bits.length; index++) {
      let kept = 0;
      if (bits[index] === 0xffffffff) {
        for (let bit = 0, row = index * 32; bit < 32; bit++, row++) {
          const value = numbers[row]!;
          if (value >= from && !(value >= before)) kept |= 1 << bit;
        }
        bits[index] = kept;
        continue;
      }
      for (let word = bits[index]!; word !== 0; word &= word - 1) {
        const bit = 31 - Math.clz32(word & -word);
        const value = numbers[index * 32 + bit]!;
        if (value >= from && !(value >= before)) kept |= 1 << bit;
      }
      bits[index] = kept;
    }
  }

  override list(): Uint32Array | null {
    return this.#list();
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

  override list(): Uint32Array {
    return this.#rows;
  }
}

/** Matches rows that every part matches. */
export class EveryTest extends Predicate {
  readonly #parts: readonly Predicate[];
  override readonly passCost: number;

  constructor(parts: readonly Predicate[]) {
    super();
    this.#parts = parts;
    this.passCost = parts.reduce((sum, part) => sum + part.passCost, 0);
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
  override readonly range: Range | null;

  constructor(parts: readonly Predicate[], range: Range | null = null) {
    super();
    this.#parts = parts;
    this.range = range;
    this.passCost = parts.reduce((sum, part) => sum + part.passCost, 0);
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

  /** `size` is the number of all rows. */
  constructor(part: Predicate, size: number) {
    super();
    this.#part = part;
    this.passCost = part.passCost;
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
