import { type Compare, compareDigits, compareParts, compareTexts, isDigits } from './compare.ts';

/** A version of PEP 440, with its parts in order of precedence; null for a missing part. */
type Version = {
  epoch: string;
  release: string[];
  pre: [letter: string, number: string] | null;
  post: string | null;
  dev: string | null;
  local: string[] | null;
};

const pattern = new RegExp(
  [
    /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)/,
    /(?:[-_.]?(a|b|c|rc|alpha|beta|pre|preview)[-_.]?(\d*))?/,
    /(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d*))?/,
    /(?:[-_.]?(dev)[-_.]?(\d*))?/,
    /(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/,
  ]
    .map((part) => part.source)
    .join(''),
);

const letters: Record<string, string> = { alpha: 'a', beta: 'b', c: 'rc', pre: 'rc', preview: 'rc' };

function read(text: string): Version | null {
  const match = pattern.exec(text.trim().toLowerCase());
  if (!match) return null;
  const [, epoch, release, pre, preNumber, implicitPost, post, postNumber, dev, devNumber, local] = match;
  return {
    epoch: epoch ?? '0',
    release: release!.split('.'),
    pre: pre === undefined ? null : [letters[pre] ?? pre, preNumber || '0'],
    post: implicitPost ?? (post === undefined ? null : postNumber || '0'),
    dev: dev === undefined ? null : devNumber || '0',
    local: local?.split(/[-_.]/) ?? null,
  };
}

/**
 * PEP 440's order. Other strings come before all valid versions, as in older versions of pip, and are compared part by
 * part.
 */
export const comparePypi: Compare = (one, other) => {
  const [left, right] = [read(one), read(other)];
  if (!left || !right) return left ? 1 : right ? -1 : compareLegacy(one, other);
  return (
    compareDigits(left.epoch, right.epoch) ||
    compareParts(left.release, right.release, '0', compareDigits) ||
    comparePre(left, right) ||
    compareOptional(left.post, right.post, -1) ||
    compareOptional(left.dev, right.dev, 1) ||
    compareLocal(left.local, right.local)
  );
};

/** A development release of a plain version comes before its pre-releases: 1.0.dev1 < 1.0a1 < 1.0. */
const rankOf = ({ pre, post, dev }: Version) => (pre ? 1 : post === null && dev !== null ? 0 : 2);

const comparePre = (one: Version, other: Version): number =>
  rankOf(one) - rankOf(other) ||
  (one.pre && other.pre ? compareTexts(one.pre[0], other.pre[0]) || compareDigits(one.pre[1], other.pre[1]) : 0);

/** `missing` is the result for a version without the part compared with one that has it. */
function compareOptional(one: string | null, other: string | null, missing: number): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? missing : -missing;
  return compareDigits(one, other);
}

function compareLocal(one: string[] | null, other: string[] | null): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  return compareParts<string | null>(one, other, null, (left, right) => {
    if (left === null || right === null) return Number(left !== null) - Number(right !== null);
    if (isDigits(left) && isDigits(right)) return compareDigits(left, right);
    return Number(isDigits(left)) - Number(isDigits(right)) || compareTexts(left, right);
  });
}

const aliases: Record<string, string> = { pre: 'c', preview: 'c', '-': 'final-', rc: 'c', dev: '@' };

/** The parse_version of old versions of setuptools. */
function legacyParts(version: string): string[] {
  const parts: string[] = [];
  for (const [raw] of version.toLowerCase().matchAll(/\d+|[a-z]+|-/g)) {
    const part = aliases[raw] ?? raw;
    if (isDigits(part)) {
      parts.push(part.padStart(8, '0'));
      continue;
    }
    if (part < 'final') while (parts.at(-1) === 'final-') parts.pop();
    while (/^0+$/.test(parts.at(-1) ?? '')) parts.pop();
    parts.push(`*${part}`);
  }
  return [...parts, '*final'];
}

const compareLegacy: Compare = (one, other) =>
  compareParts<string>(legacyParts(one), legacyParts(other), '', compareTexts);
