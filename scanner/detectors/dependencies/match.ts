import { isSameEcosystem, normaliseName } from '../../advisories/ecosystem.ts';
import type { Compare } from '../../advisories/versions/compare.ts';
import { orderOf } from '../../advisories/versions/index.ts';
import type { Advisory, Affected, Range } from '../../contract/advisory.ts';
import { compareAdvisories } from '../../contract/fingerprint.ts';
import type { Dependency } from './dependency.ts';

/** Returns whether a range contains a version, or lists it (https://ossf.github.io/osv-schema/#evaluation). */
export function isAffected(affected: Affected, version: string, compare: Compare): boolean {
  return (
    affected.versions.includes(version) ||
    affected.ranges.some((range) => isInRange(range, version, compare)) ||
    affected.versions.some((listed) => compare(listed, version) === 0)
  );
}

/** Events, in the order of their versions, switch between affected and not affected; `0` precedes every version. */
function isInRange({ events }: Range, version: string, compare: Compare): boolean {
  const limits = events.filter(({ kind }) => kind === 'limit');
  if (limits.length > 0 && !limits.some(({ version: limit }) => limit === '*' || compare(version, limit) < 0))
    return false;
  const compareBounds: Compare = (left, right) =>
    left === '0' || right === '0' ? Number(right === '0') - Number(left === '0') : compare(left, right);
  let isIn = false;
  for (const event of [...events].sort((left, right) => compareBounds(left.version, right.version))) {
    const order = event.version === '0' ? 1 : compare(version, event.version);
    if (event.kind === 'introduced' && order >= 0) isIn = true;
    if (event.kind === 'fixed' && order >= 0) isIn = false;
    if (event.kind === 'last_affected' && order > 0) isIn = false;
  }
  return isIn;
}

/** Returns the fixed versions of all ranges. */
const fixedVersions = ({ ranges }: Affected): string[] =>
  ranges.flatMap(({ events }) => events.filter(({ kind }) => kind === 'fixed').map(({ version }) => version));

/** A known vulnerability of a package at a version, merged from all databases that describe it. */
export type Match = {
  /** The vulnerability's stable name; the first of `names`. */
  id: string;
  /** All its names, `id` first. */
  names: string[];
  /** Its advisories, the best description first, each reduced to the parts that apply to the version. */
  advisories: Array<Advisory & { affected: Affected[] }>;
  /** The lowest version above the installed one that no advisory lists as affected. */
  fixedVersion: string | null;
};

/** Returns a package's vulnerabilities. `advisories` may include advisories on other packages. */
export function findMatches(dependency: Dependency, advisories: Advisory[]): Match[] {
  const { ecosystem, version } = dependency;
  const compare = orderOf(ecosystem);
  if (version === null || !compare) return [];
  const name = normaliseName(ecosystem, dependency.name);
  const isOnPackage = (affected: Affected) =>
    isSameEcosystem(ecosystem, affected.ecosystem) && normaliseName(ecosystem, affected.name) === name;
  const onPackage = advisories.map((advisory) => ({ ...advisory, affected: advisory.affected.filter(isOnPackage) }));
  const matching = onPackage.filter(({ affected }) => affected.some((part) => isAffected(part, version, compare)));
  return groupByAlias(matching).map((group) => {
    const names = [...new Set(group.flatMap(({ id, aliases }) => [id, ...aliases]))].sort(compareAdvisories);
    const everything = group.flatMap(({ affected }) => affected);
    const isFree = (candidate: string) => !everything.some((part) => isAffected(part, candidate, compare));
    const fixedVersion = everything
      .flatMap(fixedVersions)
      .filter((candidate) => compare(candidate, version) > 0)
      .sort(compare)
      .find(isFree);
    return { id: names[0]!, names, advisories: group, fixedVersion: fixedVersion ?? null };
  });
}

/** Groups advisories by vulnerability: those that share a name, directly or through others. */
function groupByAlias<Known extends Advisory>(advisories: Known[]): Known[][] {
  const groups = new Map<string, { members: Known[]; names: Set<string> }>();
  for (const advisory of [...advisories].sort((left, right) => compareAdvisories(left.id, right.id))) {
    const names = [advisory.id, ...advisory.aliases];
    const merged = { members: [] as Known[], names: new Set(names) };
    for (const group of new Set(names.flatMap((name) => groups.get(name) ?? []))) {
      merged.members.push(...group.members);
      for (const name of group.names) merged.names.add(name);
    }
    if (!merged.members.some(({ id }) => id === advisory.id)) merged.members.push(advisory);
    for (const name of merged.names) groups.set(name, merged);
  }
  return [...new Set(groups.values())].map(({ members }) =>
    members.sort((left, right) => compareAdvisories(left.id, right.id)),
  );
}
