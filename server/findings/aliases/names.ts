/** The databases whose identifiers name a vulnerability, rather than a weakness or a bulletin on several. */
const databases = 'CVE|GHSA|GO|MAL|OSV|PYSEC|RUSTSEC';
const advisory = new RegExp(`^(?:${databases})(?:-[A-Z0-9]{1,20}){1,4}$`);
const advisoryInText = new RegExp(`(?<![\\w-])(?:${databases})(?:-[a-z0-9]{1,20}){1,4}(?![\\w-])`, 'gi');

/** Most vulnerabilities have two or three names; the others of an advisory with more are left out. */
const maxNames = 20;

/** Returns the distinct identifiers of advisories among these, in upper case. */
export function advisoriesAmong(identifiers: readonly string[]): string[] {
  const names = new Set(
    identifiers.map((identifier) => identifier.toUpperCase()).filter((name) => advisory.test(name)),
  );
  return [...names].slice(0, maxNames);
}

/** Returns the distinct identifiers of advisories in a text, as they are written there. */
export const advisoriesInText = (text: string): string[] => [...new Set(text.match(advisoryInText))].slice(0, maxNames);

/** Most databases know CVEs; most of the others know GitHub's identifiers. */
const rankOf = (name: string): number => (name.startsWith('CVE-') ? 0 : name.startsWith('GHSA-') ? 1 : 2);

const compareNames = (left: string, right: string): number =>
  rankOf(left) - rankOf(right) || (left < right ? -1 : left > right ? 1 : 0);

/** A statement that `alias` is another name of the vulnerability `name`, which ranks higher. */
export type Alias = { alias: string; name: string };

/**
 * Returns what a list of a vulnerability's names states: each is an alias of the CVE, or without one of GitHub's identifier, or else
 * of the first in the alphabet. Of several CVEs, the others are aliases of each, so that none of them is unambiguous.
 */
export function aliasesAmong(names: readonly string[]): Alias[] {
  const best = Math.min(...names.map(rankOf));
  const heads = best === 2 ? [...names].sort().slice(0, 1) : names.filter((name) => rankOf(name) === best);
  const others = names.filter((name) => !heads.includes(name));
  return heads.flatMap((name) => others.map((alias) => ({ alias, name })));
}

/**
 * Returns the name to follow from an alias, of the two that rank highest: null where they contradict each other. Ranks only rise
 * on the way, so that it ends soon, and never leads from one CVE to another.
 */
export function nameToFollow(alias: string, [first, second]: readonly string[]): string | null {
  if (first === undefined || compareNames(first, alias) >= 0) return null;
  return second !== undefined && rankOf(first) === rankOf(second) ? null : first;
}

/** Returns the one name by which these of a finding are known; null where they are of two CVEs. */
export function headOf(advisories: readonly string[], heads: ReadonlyMap<string, string>): string | null {
  const [first, second] = [...new Set(advisories.map((name) => heads.get(name) ?? name))].sort(compareNames);
  if (first === undefined || (second !== undefined && rankOf(second) === 0)) return null;
  return first;
}

export const isCve = (name: string): boolean => rankOf(name) === 0;
