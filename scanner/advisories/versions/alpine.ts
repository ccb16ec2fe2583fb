import { type Compare, compareDigits, compareTexts } from './compare.ts';

/** apk's order: numbers, one letter, ranked suffixes, then the package's revision. */
export const compareAlpine: Compare = (one, other) => {
  const [left, right] = [read(one), read(other)];
  return (
    compareNumbers(left.numbers, right.numbers) ||
    compareTexts(left.letter, right.letter) ||
    compareDigits(left.more, right.more) ||
    compareSuffixes(left.suffixes, right.suffixes) ||
    compareTexts(left.hash, right.hash) ||
    compareDigits(left.revision, right.revision) ||
    // Versions that apk itself can't parse come before those that it can.
    compareTexts(right.rest, left.rest)
  );
};

type Suffix = { rank: number; number: string };

const before = ['alpha', 'beta', 'pre', 'rc'];
const after = ['cvs', 'svn', 'git', 'hg', 'p'];

function read(version: string) {
  const match = /^(\d*(?:\.\d+)*)([a-z]?)(\d*)((?:_[a-z]+\d*)*)(~[0-9a-f]+)?(?:-r(\d+).*|(.*))$/s.exec(version.trim());
  const [, numbers = '', letter = '', more = '', suffixes = '', hash = '', revision = '0', rest = ''] = match ?? [];
  return {
    numbers: numbers.split('.'),
    letter,
    suffixes: [...suffixes.matchAll(/_([a-z]+)(\d*)/g)].map(
      ([, name, number]): Suffix => ({ rank: rankOf(name!), number: number! }),
    ),
    more,
    hash,
    revision,
    rest,
  };
}

const rankOf = (name: string): number =>
  before.includes(name) ? before.indexOf(name) - before.length : after.indexOf(name) + 1;

/** After a dot, a number that starts with 0 is a decimal fraction: 1.01 < 1.1. */
function compareNumbers(one: string[], other: string[]): number {
  for (let index = 0; index < Math.min(one.length, other.length); index++) {
    const [a, b] = [one[index]!, other[index]!];
    const isFraction = index > 0 && (/^0./.test(a) || /^0./.test(b));
    const order = isFraction ? compareTexts(a, b) : compareDigits(a, b);
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

function compareSuffixes(one: Suffix[], other: Suffix[]): number {
  const none: Suffix = { rank: 0, number: '' };
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const [a, b] = [one[index] ?? none, other[index] ?? none];
    const order = a.rank - b.rank || compareDigits(a.number, b.number);
    if (order !== 0) return order;
  }
  return 0;
}
