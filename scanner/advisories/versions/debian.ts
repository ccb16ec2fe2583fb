import { type Compare, compareDigits } from './compare.ts';

/** deb-version(7): epoch, upstream version and revision; `~` before everything, even the end. */
export const compareDebian: Compare = (one, other) => {
  const [left, right] = [read(one), read(other)];
  return (
    compareDigits(left.epoch, right.epoch) ||
    compareHalf(left.upstream, right.upstream) ||
    compareHalf(left.revision, right.revision)
  );
};

function read(version: string): { epoch: string; upstream: string; revision: string } {
  const [, epoch = '0', rest = ''] = /^(?:(\d+):)?(.*)$/s.exec(version.trim()) ?? [];
  const hyphen = rest.lastIndexOf('-');
  return hyphen < 0
    ? { epoch, upstream: rest, revision: '0' }
    : { epoch, upstream: rest.slice(0, hyphen), revision: rest.slice(hyphen + 1) };
}

/** Splits into alternating runs of other characters and of digits. */
function compareHalf(one: string, other: string): number {
  const split = (text: string) => [...text.matchAll(/(\D*)(\d*)/g)].filter(([whole]) => whole !== '');
  const [left, right] = [split(one), split(other)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [, letters = '', digits = ''] = left[index] ?? [];
    const [, otherLetters = '', otherDigits = ''] = right[index] ?? [];
    const order = compareLetters(letters, otherLetters) || compareDigits(digits, otherDigits);
    if (order !== 0) return order;
  }
  return 0;
}

function weigh(character: string | undefined): number {
  if (character === '~') return -1;
  if (character === undefined) return 0;
  return /[a-z]/i.test(character) ? character.charCodeAt(0) : character.charCodeAt(0) + 256;
}

function compareLetters(one: string, other: string): number {
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const order = weigh(one[index]) - weigh(other[index]);
    if (order !== 0) return order;
  }
  return 0;
}
