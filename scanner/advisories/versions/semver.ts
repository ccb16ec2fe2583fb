import { type Compare, compareDigits, compareParts, compareTexts, isDigits } from './compare.ts';

/**
 * Semantic Versioning 2.0's precedence, also for almost semantic versions (`v1.2`, numbers above 2^53), which the
 * library `semver` refuses. Build metadata is ignored.
 */
export const compareSemver: Compare = (one, other) => {
  const [left, right] = [read(one), read(other)];
  const order = compareParts(left.release, right.release, '0', compareDigits);
  if (order !== 0) return order;
  // Pre-releases come before the release.
  if (left.prerelease === null || right.prerelease === null) {
    return Number(left.prerelease === null) - Number(right.prerelease === null);
  }
  return compareParts<string | null>(left.prerelease, right.prerelease, null, compareIdentifiers);
};

function read(version: string): { release: string[]; prerelease: string[] | null } {
  const plain = version
    .trim()
    .replace(/^[vV=]+/, '')
    .split('+', 1)[0]!;
  const [, release = '', prerelease = ''] = /^(\d*(?:\.\d+)*)(.*)$/s.exec(plain) ?? [];
  return {
    release: release.split('.'),
    prerelease: prerelease === '' ? null : prerelease.replace(/^[-.]/, '').split('.'),
  };
}

function compareIdentifiers(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  const [isNumber, isOtherNumber] = [isDigits(one), isDigits(other)];
  if (isNumber && isOtherNumber) return compareDigits(one, other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return compareTexts(one, other);
}
