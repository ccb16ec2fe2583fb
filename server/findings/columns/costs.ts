import type { Predicate } from './predicates.ts';

/** Returns conditions in the order of their cost per row that they reject, so that the others see few rows. */
const inOrder = (parts: readonly Predicate[], size: number, costOf: (part: Predicate) => number): Predicate[] => {
  const rank = (part: Predicate) => costOf(part) / Math.max(1e-3, 1 - part.estimate / size);
  return parts.toSorted((one, other) => rank(one) - rank(other));
};
export const inPassOrder = (parts: readonly Predicate[], size: number) => inOrder(parts, size, (part) => part.passCost);
export const inTestOrder = (parts: readonly Predicate[], size: number) => inOrder(parts, size, (part) => part.testCost);

/** Sums up costs per row, each for the share of rows that the conditions before it select. */
function sumCosts(
  parts: readonly Predicate[],
  size: number,
  costOf: (part: Predicate, left: number) => number,
): number {
  let [sum, left] = [0, 1];
  for (const part of parts) {
    sum += costOf(part, left);
    left *= Math.min(1, part.estimate / size);
  }
  return sum;
}

/** The cost of visiting a row of a set with few rows, in nanoseconds. */
const sparseNs = 60;

/** Returns the estimated time of one pass after the other, in nanoseconds. */
export const passNs = (parts: readonly Predicate[], size: number): number =>
  size * (0.1 + sumCosts(parts, size, ({ passCost }, left) => Math.min(passCost, left * sparseNs)));

/** Returns the estimated time of testing a row until a condition rejects it, in nanoseconds. */
export const testNs = (parts: readonly Predicate[], size: number): number =>
  sumCosts(parts, size, ({ testCost }, left) => left * testCost);
