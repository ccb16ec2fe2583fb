import type { Codes } from './arrays.ts';
import { allRows } from './bits.ts';
import { compareIds } from './id-words.ts';
import { RowSet } from './row-sets.ts';
import { type Keys, SortedRows } from './sorted-rows.ts';

type Given = {
  /** The problem of each row as two numbers, both 0 if it has none. The number depends on the data source, too. */
  problems: readonly [Uint32Array, Uint32Array];
  ids: Uint32Array;
  count: number;
  sources: Codes;
  isClosed(row: number): boolean;
};
type Problem = readonly [number, number];

/** If more than one in this many rows has a changed problem, all problems are examined. */
const changedShare = 64;
/** Examining a problem takes as long as visiting this many rows of an order. */
const rowsOfProblem = 1_000;

/**
 * The findings that represent their problem: no finding of another source about the same problem in their data source
 * precedes them. Open ones precede closed ones; otherwise the one recorded first precedes. Only problems that have
 * changed since the last read are examined.
 */
export class ShownRows {
  readonly #given: () => Given;
  #byProblem: SortedRows | null = null;
  readonly #shown = new RowSet();
  #size = 0;
  #changedRows: number[] = [];
  #changed: Problem[] = [];

  constructor(given: () => Given) {
    this.#given = given;
  }

  get bytes(): number {
    return this.#shown.bits.byteLength + (this.#byProblem?.bytes ?? 0);
  }

  /** Records that the row is new, or that its problem, source or closing changed; `before` is its previous problem. */
  changed(row: number, before: Problem | null): void {
    if (this.#byProblem === null) return;
    const { problems } = this.#given();
    const now: Problem = [problems[0][row]!, problems[1][row]!];
    const isMoved = before === null || before[0] !== now[0] || before[1] !== now[1];
    const hasProblem = [now, ...(before ? [before] : [])].some(([high, low]) => high !== 0 || low !== 0);
    if (isMoved && hasProblem) this.#byProblem.moved(row);
    if (before !== null && isMoved) this.#changed.push(before);
    this.#changed.push(now);
    this.#changedRows.push(row);
  }

  /**
   * Examines some of the changed problems, and merges their rows with the others once there are more than `max`, at
   * most `maxRows` per call. Returns whether there is more to do.
   */
  fold(max: number, maxRows: number): boolean {
    if (this.#byProblem === null) return false;
    if (this.#changed.length > 0) this.#readChanged(this.#given(), maxRows / rowsOfProblem);
    return this.#changed.length > 0 || this.#byProblem.fold(max, maxRows);
  }

  /** Returns the rows that represent their problem. */
  read(): RowSet {
    const given = this.#given();
    if (this.#byProblem === null) {
      this.#byProblem = new SortedRows((): Keys => {
        const { problems, ids, count } = this.#given();
        return { numbers: problems, ids, count, skipsZeros: true };
      });
      this.#readAll(given);
    } else if (this.#changed.length > given.count / changedShare) {
      while (this.#byProblem.fold(0, given.count));
      this.#readAll(given);
      this.#changed = [];
      this.#changedRows = [];
    } else this.#readChanged(given, this.#changed.length);
    return this.#shown;
  }

  #readAll(given: Given): void {
    this.#shown.bits = allRows(given.count);
    this.#shown.count = this.#size = given.count;
    const rows = this.#byProblem!.list(this.#byProblem!.section({}));
    const [high, low] = given.problems;
    for (let first = 0, end = 0; first < rows.length; first = end) {
      const row = rows[first]!;
      do end++;
      while (end < rows.length && high[rows[end]!] === high[row] && low[rows[end]!] === low[row]);
      if (end > first + 1 && (high[row] !== 0 || low[row] !== 0)) this.#choose(rows.slice(first, end), given);
    }
  }

  /** Examines up to `max` of the changed problems. */
  #readChanged(given: Given, max: number): void {
    for (; this.#size < given.count; this.#size++) this.#shown.put(this.#size, true);
    for (const row of this.#changedRows) this.#shown.put(row, true);
    this.#changedRows = [];
    const seen = new Set<string>();
    for (const problem of this.#changed.splice(-max)) {
      const name = problem.join();
      if (name === '0,0' || seen.has(name)) continue;
      seen.add(name);
      const rows = this.#byProblem!.listEqual(problem);
      for (const row of rows) this.#shown.put(row, true);
      if (rows.length > 1) this.#choose(rows, given);
    }
  }

  /** Hides the rows that do not represent the problem. All are shown before the call. */
  #choose(rows: Uint32Array, { ids, sources, isClosed }: Given): void {
    const comesBefore = (row: number, other: number) =>
      Number(isClosed(row)) - Number(isClosed(other)) || compareIds(ids, row * 4, ids, other * 4);
    const [leader, ...others] = [...rows].sort(comesBefore);
    let isMixed = false;
    for (const row of others) {
      // The leader, or a row between it and this one, is of another source.
      isMixed ||= sources[row] !== sources[leader!];
      if (isMixed) this.#shown.put(row, false);
    }
  }
}
