import { allRows, type Bits, removeRow } from './bits.ts';
import { compareIds } from './id-words.ts';
import { sortByDigit } from './sort-by-digit.ts';

type Given = {
  size: number;
  ids: Uint32Array;
  /** Two words for each row, both 0 without a problem. The data source is part of the number. */
  problems: Uint32Array;
  sources: Uint32Array;
  isClosed(row: number): boolean;
};

/**
 * Returns the rows of the findings that stand for all about their problem: those without a finding of another source about the
 * same problem in their data source that comes before them. Open ones come before closed ones, and then those that were recorded
 * first.
 */
export function shownRows({ size, ids, problems, sources, isClosed }: Given): Bits {
  const hasProblem = (row: number) => (problems[row * 2]! | problems[row * 2 + 1]!) !== 0;
  const rows: number[] = [];
  for (let row = 0; row < size; row++) if (hasProblem(row)) rows.push(row);
  const comesBefore = (row: number, other: number) =>
    Number(isClosed(row)) - Number(isClosed(other)) || compareIds(ids, row * 4, ids, other * 4);
  // Findings about one problem become neighbours.
  let sorted: Uint32Array = Uint32Array.from(rows);
  let spare: Uint32Array = new Uint32Array(rows.length);
  const digits = new Uint16Array(problems.buffer, problems.byteOffset, size * 4);
  for (let digit = 0; digit < 4; digit++) {
    const next = sortByDigit(digits, 4, digit, sorted, spare);
    if (next === spare) [sorted, spare] = [spare, sorted];
  }
  const shown = allRows(size);
  const isSame = (row: number, other: number) =>
    problems[row * 2] === problems[other * 2] && problems[row * 2 + 1] === problems[other * 2 + 1];
  for (let first = 0, end = 0; first < sorted.length; first = end) {
    do end++;
    while (end < sorted.length && isSame(sorted[first]!, sorted[end]!));
    if (end === first + 1) continue;
    const [leader, ...others] = sorted.slice(first, end).sort(comesBefore);
    let isMixed = false;
    for (const row of others) {
      // The first is of another source, or one between it and this one.
      isMixed ||= sources[row] !== sources[leader!];
      if (isMixed) removeRow(shown, row);
    }
  }
  return shown;
}
