/** The properties that decide between candidates at one place; offsets from 0, end exclusive. */
export type Ranged = { start: number; end: number; generic: boolean; order: number };

/**
 * Keeps one candidate per place: a distinct format wins over an assignment, then the longer text, then the earlier
 * rule. Returns the remaining ones by place.
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
