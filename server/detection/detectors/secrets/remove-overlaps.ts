/** What decides between two candidates at one place; offsets from 0, end exclusive. */
export type Ranged = { start: number; end: number; generic: boolean; order: number };

/**
 * Leaves one candidate for each place: a format of its own wins over an assignment, then the longer text, then the rule that stands first.
 * The rest come back in the order of their places.
 */
export function removeOverlaps<T extends Ranged>(candidates: T[]): T[] {
  const ranked = candidates.toSorted(
    (left, right) =>
      Number(left.generic) - Number(right.generic) ||
      right.end - right.start - (left.end - left.start) ||
      left.order - right.order ||
      left.start - right.start,
  );
  const kept: T[] = [];
  for (const candidate of ranked) {
    const at = insertionPlace(kept, candidate.start);
    const before = kept[at - 1];
    const after = kept[at];
    if ((before && before.end > candidate.start) || (after && after.start < candidate.end)) continue;
    kept.splice(at, 0, candidate);
  }
  return kept;
}

function insertionPlace(sorted: Ranged[], start: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]!.start <= start) low = middle + 1;
    else high = middle;
  }
  return low;
}
