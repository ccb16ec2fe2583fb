import { isSameEcosystem, normaliseName } from '../../advisories/ecosystem.ts';
import { orderOf } from '../../advisories/versions/index.ts';
import type { Advisory, Affected } from '../../contract/advisory.ts';
import type { Dependency } from './dependency.ts';
import { fixedVersions, isAffected } from './is-affected.ts';

/** One known vulnerability of one package at one version, however many databases tell of it. */
export type Match = {
  /** Names the vulnerability for good: see `nameOf`. */
  id: string;
  /** All names of it, the one of `id` first. */
  names: string[];
  /** What tells of it, the best description first; of each only the parts that are about the version. */
  advisories: Array<Advisory & { affected: Affected[] }>;
  /** The least version above the installed one that none of the advisories calls affected. */
  fixedVersion: string | null;
};

/** The vulnerabilities of a package among advisories, which may be on other packages too. */
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
    const names = [...new Set(group.flatMap(({ id, aliases }) => [id, ...aliases]))].sort(compareNames);
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

/**
 * Which name a vulnerability goes by. GitHub's comes first: it is the one that is there from the beginning in most
 * ecosystems and stays, where a CVE may be assigned weeks later and would make a new finding of an old one.
 */
const preferred = ['GHSA-', 'CVE-', 'MAL-', 'PYSEC-', 'GO-', 'RUSTSEC-'];
const rankOf = (name: string) =>
  (preferred.findIndex((prefix) => name.startsWith(prefix)) + preferred.length + 1) % (preferred.length + 1);

function compareNames(left: string, right: string): number {
  return rankOf(left) - rankOf(right) || (left < right ? -1 : left > right ? 1 : 0);
}

/** Advisories that share a name, directly or over others, tell of one vulnerability. */
function groupByAlias<Known extends Advisory>(advisories: Known[]): Known[][] {
  const groups = new Map<string, { members: Known[]; names: Set<string> }>();
  for (const advisory of [...advisories].sort((left, right) => compareNames(left.id, right.id))) {
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
    members.sort((left, right) => compareNames(left.id, right.id)),
  );
}
