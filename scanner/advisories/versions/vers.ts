import { ecosystemName } from '../../contract/ecosystem-name.ts';
import type { Compare } from './compare.ts';
import { orderOf } from './index.ts';

type Comparator = '=' | '!=' | '<' | '<=' | '>' | '>=';
type Constraint = { comparator: Comparator; version: string };

/** A range of versions, `vers:npm/>=1.0.0|<2.0.0` (https://github.com/package-url/vers-spec). */
export type VersionRange = {
  /** The ecosystem, by OSV's name, that determines the order of versions. */
  ecosystem: string;
  contains(version: string): boolean;
};

/** Names of schemes that are not package types, and of types that several ecosystems share. */
const schemes: Record<string, string> = {
  ...{ alpine: 'Alpine', apk: 'Alpine', deb: 'Debian', rpm: 'Red Hat' },
  ...{ semver: 'npm', generic: 'npm', github: 'GitHub Actions', conan: 'ConanCenter' },
};

const wholeRange = /^vers:([a-z][a-z0-9.+-]*)\/(\S+)$/;
const oneConstraint = /^(!=|<=|>=|<|>|=)?([^!<>=*|]+)$/;

/**
 * Reads a range of versions. For an invalid one (unknown scheme, no constraints, a duplicate version), returns the end
 * of a sentence, such as `must begin with …`.
 */
export function readVersionRange(text: string): VersionRange | string {
  const [, scheme, constraints] = wholeRange.exec(text) ?? [];
  if (scheme === undefined || constraints === undefined)
    return 'must be a range such as `vers:npm/>=1.0.0|<2.0.0`, without spaces';
  const ecosystem = schemes[scheme] ?? ecosystemName(scheme);
  const compare = orderOf(ecosystem);
  if (!compare) return `has the scheme ${scheme}, whose order of versions is not known`;
  if (constraints === '*') return { ecosystem, contains: () => true };
  const read: Constraint[] = [];
  for (const part of constraints.split('|')) {
    const constraint = readConstraint(part);
    if (!constraint) return `has ${JSON.stringify(part)}, which is no comparator and version such as \`>=1.0.0\``;
    read.push(constraint);
  }
  read.sort((left, right) => compare(left.version, right.version));
  const twice = read.find(({ version }, index) => index > 0 && compare(read[index - 1]!.version, version) === 0);
  if (twice) return `names the version ${twice.version} twice`;
  const bounds = read.filter(({ comparator }) => comparator !== '=' && comparator !== '!=');
  return { ecosystem, contains: (version) => isWithin(read, bounds, version, compare) };
}

function readConstraint(part: string): Constraint | null {
  const [, comparator = '=', version] = oneConstraint.exec(part) ?? [];
  if (version === undefined) return null;
  try {
    return { comparator: comparator as Comparator, version: decodeURIComponent(version) };
  } catch {
    return null;
  }
}

/** Returns the number of constraints, which are in the order of their versions, whose version is not above this one. */
function countUpTo(constraints: Constraint[], version: string, compare: Compare): number {
  let [low, high] = [0, constraints.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(constraints[middle]!.version, version) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The specification's algorithm, for constraints in the order of their versions; `bounds` are those that compare by order. */
function isWithin(constraints: Constraint[], bounds: Constraint[], version: string, compare: Compare): boolean {
  const nearest = constraints[countUpTo(constraints, version, compare) - 1];
  if (nearest && compare(nearest.version, version) === 0)
    return nearest.comparator.includes('=') && nearest.comparator !== '!=';
  // By the specification, a single `!=` means all other versions, and several mean none.
  if (bounds.length === 0) return constraints.length === 1 && constraints[0]!.comparator === '!=';
  const index = countUpTo(bounds, version, compare);
  const [below, above] = [bounds[index - 1], bounds[index]];
  return (!below || below.comparator.startsWith('>')) && (!above || above.comparator.startsWith('<'));
}
