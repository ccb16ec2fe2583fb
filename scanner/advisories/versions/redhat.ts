import { type Compare, compareDigits, compareTexts, isDigits } from './compare.ts';

/** rpm's order of epoch:version-release. */
export const compareRedhat: Compare = (one, other) => {
  const [left, right] = [read(one), read(other)];
  return (
    compareDigits(left.epoch, right.epoch) ||
    compareSegments(left.version, right.version) ||
    compareSegments(left.release ?? '', right.release ?? '') ||
    Number(left.release !== undefined) - Number(right.release !== undefined)
  );
};

function read(text: string) {
  const [, epoch = '0', version = '', release] = /^(?:(\d+):)?([^-]*)(?:-(.*))?$/s.exec(text.trim()) ?? [];
  return { epoch, version, release };
}

/** rpmvercmp: `~` before the end, `^` after it, digits after letters; all other characters separate. */
function compareSegments(one: string, other: string): number {
  const split = (text: string) => text.match(/[0-9]+|[a-zA-Z]+|~|\^/g) ?? [];
  const [left, right] = [split(one), split(other)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const order = compareSegment(left[index], right[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareSegment(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0;
  if (one === '~' || other === '~') return one === '~' ? -1 : 1;
  if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
  if (one === '^' || other === '^') return one === '^' ? -1 : 1;
  const [isNumber, isOtherNumber] = [isDigits(one), isDigits(other)];
  if (isNumber !== isOtherNumber) return isNumber ? 1 : -1;
  return isNumber ? compareDigits(one, other) : compareTexts(one, other);
}
