import { type Codes, withRoom } from './arrays.ts';
import { addRow, type Bits, hasRow, removeRow } from './bits.ts';

/** Columns with up to this many values have a set of rows for each: sets take no more memory than lists. */
const maxSets = 32;

/** Rows whose code has changed are merged once they exceed one in this many of all rows. */
const movedShare = 64;

/** A code that more than one in this many rows has gets no list: a pass over all rows is as fast. */
const frequentShare = 8;

/** Rows by code: `rows` from `starts` to `ends` for each code that is not frequent. */
type Lists = { starts: Uint32Array; ends: Uint32Array; rows: Uint32Array; isFrequent: Uint8Array };
/**
 * Lists under construction: they contain the rows below `next`, and finally the `size` rows of the start. `moved` are
 * the rows whose code has changed since then.
 */
type Fold = Lists & { next: number; size: number; moved: Bits };

/** The rows with each code of a column: as sets while there are few codes, and as lists after that. */
export class CodeRows {
  /** The rows with each code; null when there are too many codes. */
  sets: Bits[] | null = [];
  /** Built on first use. */
  #lists: Lists | null = null;
  /** The rows that the lists don't have, or have under a previous code. */
  #moved: Bits = new Uint32Array(0);
  #recent: number[] = [];
  #fold: Fold | null = null;

  get bytes(): number {
    const lists = [this.#lists, this.#fold].flatMap((each) =>
      each ? [each.starts, each.ends, each.rows, each.isFrequent] : [],
    );
    const arrays = [...(this.sets ?? []), ...lists, this.#moved];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, this.#recent.length * 8);
  }

  /** Records the new code of a row; `from` is its previous code, -1 for a new row. */
  change(row: number, from: number, to: number): void {
    if (this.sets !== null && to < maxSets) {
      if (from >= 0) removeRow(this.sets[from]!, row);
      this.sets[to] = withRoom(this.sets[to] ?? new Uint32Array(0), (row >>> 5) + 1);
      addRow(this.sets[to]!, row);
      return;
    }
    this.sets = null;
    if (this.#lists === null) return;
    if (this.#fold !== null) {
      this.#fold.moved = withRoom(this.#fold.moved, (row >>> 5) + 1);
      addRow(this.#fold.moved, row);
    }
    this.#moved = withRoom(this.#moved, (row >>> 5) + 1);
    if (hasRow(this.#moved, row)) return;
    addRow(this.#moved, row);
    this.#recent.push(row);
  }

  /** Builds the lists unless they exist, in time linear in the number of rows. */
  build(codes: Codes, counts: Uint32Array, size: number): void {
    if (this.sets !== null || this.#lists !== null) return;
    this.#begin(counts, size);
    this.#continue(codes, size);
  }

  /**
   * Rebuilds the lists once too many rows have moved, at least `minMoved`. It works in steps: a call visits at most
   * `maxRows` rows. Returns whether there is more to do.
   */
  fold(
    codes: Codes,
    counts: Uint32Array,
    size: number,
    { minMoved, maxRows }: { minMoved: number; maxRows: number },
  ): boolean {
    if (this.#fold === null) {
      if (this.#recent.length <= Math.max(minMoved, size / movedShare)) return false;
      this.#begin(counts, size);
    }
    this.#continue(codes, maxRows);
    return true;
  }

  #begin(counts: Uint32Array, size: number): void {
    const starts = new Uint32Array(counts.length);
    const isFrequent = Uint8Array.from(counts, (count) => Number(count > size / frequentShare));
    let listed = 0;
    for (const [code, count] of counts.entries()) {
      starts[code] = listed;
      if (isFrequent[code] === 0) listed += count;
    }
    const moved = new Uint32Array((size + 31) >>> 5);
    const rows = new Uint32Array(listed);
    this.#fold = { starts, ends: starts.slice(), rows, isFrequent, next: 0, size, moved };
  }

  #continue(codes: Codes, maxRows: number): void {
    const fold = this.#fold!;
    const { ends, rows, isFrequent, moved, size } = fold;
    const end = Math.min(size, fold.next + maxRows);
    for (let row = fold.next; row < end; row++) {
      const code = codes[row]!;
      if (isFrequent[code] === 0 && !hasRow(moved, row)) rows[ends[code]!++] = row;
    }
    fold.next = end;
    if (end < size) return;
    this.#lists = fold;
    this.#moved = moved;
    this.#recent = this.#recent.filter((row) => hasRow(moved, row));
    this.#fold = null;
  }

  /** Returns whether none of the codes is frequent. Requires lists. */
  isListed(codes: readonly number[]): boolean {
    const { isFrequent } = this.#lists!;
    return !codes.some((code) => isFrequent[code] === 1);
  }

  /** Returns the rows with any of the codes, unordered. Requires lists of all of them. */
  list(codes: Codes, accepted: readonly number[], isAccepted: (code: number) => boolean): Uint32Array {
    const { starts, ends, rows: all } = this.#lists!;
    const known = accepted.filter((code) => code < starts.length);
    const count = known.reduce((sum, code) => sum + ends[code]! - starts[code]!, 0);
    const rows = new Uint32Array(count + this.#recent.length);
    let next = 0;
    for (const code of known)
      for (let index = starts[code]!; index < ends[code]!; index++) {
        const row = all[index]!;
        if (!hasRow(this.#moved, row)) rows[next++] = row;
      }
    for (const row of this.#recent) if (isAccepted(codes[row]!)) rows[next++] = row;
    return rows.subarray(0, next);
  }
}
