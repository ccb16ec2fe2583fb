/**
 * The databases whose identifiers name a single vulnerability. Identifiers of weaknesses and of bulletins on several
 * vulnerabilities are ignored.
 */
const databases = 'CVE|GHSA|GO|MAL|OSV|PYSEC|RUSTSEC';
const advisory = new RegExp(`^(?:${databases})(?:-[A-Z0-9]{1,20}){1,4}$`);
const advisoryInText = new RegExp(`(?<![\\w-])(?:${databases})(?:-[a-z0-9]{1,20}){1,4}(?![\\w-])`, 'gi');

/** Most vulnerabilities have two or three names; any beyond this limit are ignored. */
const maxNames = 20;

/** Returns all distinct advisory identifiers, in upper case. */
export const allAdvisoriesAmong = (identifiers: readonly string[]): string[] => [
  ...new Set(identifiers.map((identifier) => identifier.toUpperCase()).filter((name) => advisory.test(name))),
];

/** Returns the distinct advisory identifiers of one problem, in upper case. */
export const advisoriesAmong = (identifiers: readonly string[]): string[] =>
  allAdvisoriesAmong(identifiers).slice(0, maxNames);

/** Returns the distinct advisory identifiers in a text, spelled as in the text. */
export const advisoriesInText = (text: string): string[] => [...new Set(text.match(advisoryInText))].slice(0, maxNames);

/** Most databases reference CVEs; most of the rest reference GitHub's identifiers. */
const rankOf = (name: string): number => (name.startsWith('CVE-') ? 0 : name.startsWith('GHSA-') ? 1 : 2);

const compareNames = (left: string, right: string): number =>
  rankOf(left) - rankOf(right) || (left < right ? -1 : left > right ? 1 : 0);

/** States that `alias` is another name of the vulnerability `name`, which ranks higher. */
export type Alias = { alias: string; name: string };

/**
 * Returns the aliases that a list of a vulnerability's names implies. Each name is an alias of the CVE; without a CVE,
 * of GitHub's identifier; without either, of the first name in alphabetical order. If the list has several CVEs, the
 * other names are aliases of each and therefore ambiguous.
 */
export function aliasesAmong(names: readonly string[]): Alias[] {
  const best = Math.min(...names.map(rankOf));
  const heads = best === 2 ? [...names].sort().slice(0, 1) : names.filter((name) => rankOf(name) === best);
  const others = names.filter((name) => !heads.includes(name));
  return heads.flatMap((name) => others.map((alias) => ({ alias, name })));
}

/**
 * Returns the name to follow from an alias, given its two highest-ranking names; null if they contradict each other.
 * Each step raises the rank, so following ends soon and never leads from one CVE to another.
 */
export function nameToFollow(alias: string, [first, second]: readonly string[]): string | null {
  if (first === undefined || compareNames(first, alias) >= 0) return null;
  return second !== undefined && rankOf(first) === rankOf(second) ? null : first;
}

/** Returns the single name that a finding's advisories resolve to; null if they belong to two CVEs. */
export function headOf(advisories: readonly string[], heads: ReadonlyMap<string, string>): string | null {
  const [first, second] = [...new Set(advisories.map((name) => heads.get(name) ?? name))].sort(compareNames);
  if (first === undefined || (second !== undefined && rankOf(second) === 0)) return null;
  return first;
}

export const isCve = (name: string): boolean => rankOf(name) === 0;
