import { type Compare, compareDigits, compareTexts } from './compare.ts';

/**
 * R's package_version: numbers separated by dots or hyphens; if one is a prefix of the other, the longer one is later.
 */
export const compareCran: Compare = (one, other) => {
  const [left, right] = [one.trim().split(/[.-]/), other.trim().split(/[.-]/)];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [a, b] = [left[index]!, right[index]!];
    const order = /\D/.test(a + b) ? compareTexts(a, b) : compareDigits(a, b);
    if (order !== 0) return order;
  }
  return left.length - right.length;
};
