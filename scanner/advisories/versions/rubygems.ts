import { type Compare, compareDigits, compareTexts, isDigits } from './compare.ts';

/** Gem::Version's order: letters make a pre-release; trailing zeros of either half are ignored. */
export const compareRubygems: Compare = (one, other) => {
  const [left, right] = [read(one), read(other)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [a = '0', b = '0'] = [left[index], right[index]];
    const [isNumber, isOtherNumber] = [isDigits(a), isDigits(b)];
    if (isNumber !== isOtherNumber) return isNumber ? 1 : -1;
    const order = isNumber ? compareDigits(a, b) : compareTexts(a, b);
    if (order !== 0) return order;
  }
  return 0;
};

function read(version: string): string[] {
  const segments =
    version
      .trim()
      .replaceAll('-', '.pre.')
      .match(/\d+|[a-z]+/gi) ?? [];
  const firstLetters = segments.findIndex((segment) => !isDigits(segment));
  const end = firstLetters < 0 ? segments.length : firstLetters;
  return [...withoutZeros(segments.slice(0, end)), ...withoutZeros(segments.slice(end))];
}

function withoutZeros(segments: string[]): string[] {
  const last = segments.findLastIndex((segment) => !/^0+$/.test(segment));
  return segments.slice(0, last + 1);
}
