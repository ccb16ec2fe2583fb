import type { Bits } from './bits.ts';

/** A condition on rows, for one row or for all. The passes repeat their loop, so that V8 compiles each for its own test. */
export type Predicate = {
  test(row: number): boolean;
  /** Removes the rows from a set that do not meet the condition. */
  restrict(bits: Bits): void;
};

const unknown = 0;
const yes = 1;
const no = 2;

/** The row's code is an accepted one; each is decided about once. */
export class CodeTest implements Predicate {
  readonly #codes: Uint32Array;
  readonly #known: Uint8Array;
  readonly #decide: (code: number) => boolean;

  /** `accepted` are the codes to accept, or decides about each. */
  constructor(codes: Uint32Array, count: number, accepted: Iterable<number> | ((code: number) => boolean)) {
    this.#codes = codes;
    this.#known = new Uint8Array(count);
    this.#decide = typeof accepted === 'function' ? accepted : () => false;
    if (typeof accepted === 'function') return;
    this.#known.fill(no);
    for (const code of accepted) this.#known[code] = yes;
  }

  #accepts(code: number): boolean {
    if (this.#known[code] === unknown) this.#known[code] = this.#decide(code) ? yes : no;
    return this.#known[code] === yes;
  }

  test(row: number): boolean {
    return this.#accepts(this.#codes[row]!);
  }

  restrict(bits: Bits): void {
    const codes = this.#codes;
    const known = this.#known;
    for (let index = 0; index < bits.length; index++) {
      let kept = 0;
      const all = bits[index]!;
      if (all === 0xffffffff) {
        for (let bit = 0, row = index * 32; bit < 32; bit++, row++) {
          const state = known[codes[row]!]!;
          if (state === yes || (state === unknown && this.#accepts(codes[row]!))) kept |= 1 << bit;
        }
        bits[index] = kept;
        continue;
      }
      for (let word = all; word !== 0; word &= word - 1) {
        const bit = 31 - Math.clz32(word & -word);
        const code = codes[index * 32 + bit]!;
        const state = known[code]!;
        if (state === yes || (state === unknown && this.#accepts(code))) kept |= 1 << bit;
      }
      bits[index] = kept;
    }
  }
}

/** The row's number is at least `from` and less than `before`, which is NaN for no end. */
export class RangeTest implements Predicate {
  readonly #numbers: Uint8Array | Uint32Array | Float32Array | Float64Array;
  readonly #from: number;
  readonly #before: number;

  constructor(numbers: Uint8Array | Uint32Array | Float32Array | Float64Array, from: number, before: number) {
    this.#numbers = numbers;
    this.#from = from;
    this.#before = before;
  }

  test(row: number): boolean {
    const value = this.#numbers[row]!;
    return value >= this.#from && !(value >= this.#before);
  }

  restrict(bits: Bits): void {
    const numbers = this.#numbers;
    const from = this.#from;
    const before = this.#before;
    for (let index = 0; index < bits.length; index++) {
      let kept = 0;
      for (let word = bits[index]!; word !== 0; word &= word - 1) {
        const bit = 31 - Math.clz32(word & -word);
        const value = numbers[index * 32 + bit]!;
        if (value >= from && !(value >= before)) kept |= 1 << bit;
      }
      bits[index] = kept;
    }
  }
}

/** The row's number is one of some, or its masked bits are. */
export class SetTest implements Predicate {
  readonly #numbers: Uint8Array | Uint32Array;
  readonly #mask: number;
  readonly #accepted: ReadonlySet<number>;

  constructor(numbers: Uint8Array | Uint32Array, mask: number, accepted: readonly number[]) {
    this.#numbers = numbers;
    this.#mask = mask;
    this.#accepted = new Set(accepted);
  }

  test(row: number): boolean {
    return this.#accepted.has((this.#numbers[row]! & this.#mask) >>> 0);
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

/** The row is in a set. */
export class RowTest implements Predicate {
  readonly #rows: Bits;

  constructor(rows: Bits) {
    this.#rows = rows;
  }

  test(row: number): boolean {
    return ((this.#rows[row >>> 5]! >>> (row & 31)) & 1) !== 0;
  }

  restrict(bits: Bits): void {
    for (let index = 0; index < bits.length; index++) bits[index]! &= this.#rows[index]!;
  }
}

/** Every part holds. */
export class EveryTest implements Predicate {
  readonly #parts: readonly Predicate[];

  constructor(parts: readonly Predicate[]) {
    this.#parts = parts;
  }

  test(row: number): boolean {
    for (const part of this.#parts) if (!part.test(row)) return false;
    return true;
  }

  restrict(bits: Bits): void {
    for (const part of this.#parts) part.restrict(bits);
  }
}

/** Any of the parts holds. */
export class SomeTest implements Predicate {
  readonly #parts: readonly Predicate[];

  constructor(parts: readonly Predicate[]) {
    this.#parts = parts;
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

/** The part does not hold. */
export class NotTest implements Predicate {
  readonly #part: Predicate;

  constructor(part: Predicate) {
    this.#part = part;
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
