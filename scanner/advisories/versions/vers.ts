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
    if (read.some(({ version }) => compare(version, constraint.version) === 0))
      return `names the version ${constraint.version} twice`;
    read.push(constraint);
  }
  read.sort((left, right) => compare(left.version, right.version));
  return { ecosystem, contains: (version) => isWithin(read, version, compare) };
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

/** The specification's algorithm, for constraints in the order of their versions. */
function isWithin(constraints: Constraint[], version: string, compare: Compare): boolean {
  const equal = constraints.find((constraint) => compare(constraint.version, version) === 0);
  if (equal) return equal.comparator.includes('=') && equal.comparator !== '!=';
  const bounds = constraints.filter(({ comparator }) => comparator !== '=' && comparator !== '!=');
  const [first, last] = [bounds[0], bounds.at(-1)];
  // By the specification, a single `!=` means all other versions, and several mean none.
  if (!first || !last) return constraints.length === 1 && constraints[0]!.comparator === '!=';
  const isBelow = (bound: Constraint) => compare(version, bound.version) < 0;
  if (first.comparator.startsWith('<') && isBelow(first)) return true;
  if (last.comparator.startsWith('>') && !isBelow(last)) return true;
  return bounds.some((bound, index) => {
    const next = bounds[index + 1];
    const opens = bound.comparator.startsWith('>') && next?.comparator.startsWith('<');
    return opens === true && !isBelow(bound) && isBelow(next!);
  });
}
