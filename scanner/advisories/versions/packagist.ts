import { type Compare, compareDigits, isDigits } from './compare.ts';

/** PHP's version_compare, by which Composer orders: other words < dev < alpha < beta < RC < # < number < pl. */
export const comparePackagist: Compare = (one, other) => {
  const [left, right] = [read(one), read(other)];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const order = compareTokens(left[index]!, right[index]!);
    if (order !== 0) return order;
  }
  const longer = left.length > right.length ? left : right;
  if (left.length === right.length) return 0;
  const sign = longer === left ? 1 : -1;
  const next = longer[Math.min(left.length, right.length)]!;
  return sign * (isDigits(next) ? 1 : compareTokens(next, '#'));
};

const read = (version: string): string[] =>
  version
    .trim()
    .replace(/^v/i, '')
    .replace(/[^\da-z]/gi, '.')
    .replace(/([^\d.])(?=\d)|(\d)(?=[^\d.])/g, '$&.')
    .split('.')
    .filter((part) => part !== '');

const ranks: Array<[start: string, rank: number]> = [
  ['dev', 0],
  ['alpha', 1],
  ['a', 1],
  ['beta', 2],
  ['b', 2],
  ['RC', 3],
  ['rc', 3],
  ['#', 4],
  ['pl', 6],
  ['p', 6],
];

/** Words are ranked by their prefix; all unknown words are equal and come first. */
function rankOf(part: string): number {
  if (isDigits(part)) return 5;
  return ranks.find(([start]) => part.startsWith(start))?.[1] ?? -1;
}

function compareTokens(one: string, other: string): number {
  if (isDigits(one) && isDigits(other)) return compareDigits(one, other);
  const [rank, otherRank] = [rankOf(one), rankOf(other)];
  return rank - otherRank;
}
