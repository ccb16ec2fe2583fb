import { type Codes, withRoom } from './arrays.ts';
import { addRow, type Bits, hasRow, removeRow } from './bits.ts';

/** A column with as many values has a set of rows for each: they take no more memory than lists. */
const maxSets = 32;

/** Rows whose code has changed wait until one in so many of all do. */
const recentShare = 64;
const minRecent = 4_096;

/** The rows with each code of a column: as sets while there are few codes, and as lists from then on. */
export class CodeRows {
  /** The rows with each code; null when there are too many codes. */
  sets: Bits[] | null = [];
  /** By the code, where its rows begin in `#rows`. Null until somebody asks. */
  #starts: Uint32Array | null = null;
  #rows = new Uint32Array(0);
  /** The rows that are not where the lists have them, if these have them at all. */
  #moved: Bits = new Uint32Array(0);
  #recent: number[] = [];

  get bytes(): number {
    const lists = (this.#starts?.byteLength ?? 0) + this.#rows.byteLength + this.#moved.byteLength;
    return (this.sets ?? []).reduce((sum, set) => sum + set.byteLength, lists + this.#recent.length * 8);
  }

  /** Notes the code of a row; `from` is the one before, -1 for a new row. */
  change(row: number, from: number, to: number): void {
    if (this.sets !== null && to < maxSets) {
      if (from >= 0) removeRow(this.sets[from]!, row);
      this.sets[to] = withRoom(this.sets[to] ?? new Uint32Array(0), (row >>> 5) + 1);
      addRow(this.sets[to]!, row);
      return;
    }
    this.sets = null;
    if (this.#starts === null) return;
    this.#moved = withRoom(this.#moved, (row >>> 5) + 1);
    if (hasRow(this.#moved, row)) return;
    addRow(this.#moved, row);
    this.#recent.push(row);
  }

  /** Makes the lists anew, in time that is linear in the number of rows. */
  build(codes: Codes, counts: Uint32Array, size: number): void {
    if (this.sets !== null) return;
    const starts = new Uint32Array(counts.length + 1);
    for (let code = 0; code < counts.length; code++) starts[code + 1] = starts[code]! + counts[code]!;
    const next = starts.slice();
    if (this.#rows.length !== size) this.#rows = new Uint32Array(size);
    for (let row = 0; row < size; row++) this.#rows[next[codes[row]!]!++] = row;
    this.#starts = starts;
    this.#moved = new Uint32Array((size + 31) >>> 5);
    this.#recent = [];
  }

  /** Makes the lists anew once too many rows have moved; returns whether it did. */
  fold(codes: Codes, counts: Uint32Array, size: number): boolean {
    if (this.#recent.length <= Math.max(minRecent, size / recentShare)) return false;
    this.build(codes, counts, size);
    return true;
  }

  /** Returns the rows with any of the codes, in no order. Needs lists. */
  list(codes: Codes, accepted: readonly number[], isAccepted: (code: number) => boolean): Uint32Array {
    const starts = this.#starts!;
    const known = accepted.filter((code) => code + 1 < starts.length);
    const count = known.reduce((sum, code) => sum + starts[code + 1]! - starts[code]!, 0);
    const rows = new Uint32Array(count + this.#recent.length);
    let next = 0;
    for (const code of known)
      for (let index = starts[code]!; index < starts[code + 1]!; index++) {
        const row = this.#rows[index]!;
        if (!hasRow(this.#moved, row)) rows[next++] = row;
      }
    for (const row of this.#recent) if (isAccepted(codes[row]!)) rows[next++] = row;
    return rows.subarray(0, next);
  }

  get hasLists(): boolean {
    return this.#starts !== null;
  }
}
