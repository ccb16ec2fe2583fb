import type { Db } from '../../platform/postgres/database.ts';
import { listAliases, listNames } from './alias-queries.ts';
import { allAdvisoriesAmong, isCve, nameToFollow } from './names.ts';

/** The longest chain: an alias, GitHub's name for it, and the CVE. */
const maxSteps = 3;

/** Returns the preferred name of each advisory that has a different one. All names are in upper case. */
export async function resolveAliases(db: Db, orgId: string, advisories: string[]): Promise<Map<string, string>> {
  const heads = new Map<string, string>();
  let open = advisories.filter((name) => !isCve(name)).map((name) => ({ name, head: name }));
  for (let step = 0; step < maxSteps && open.length > 0; step++) {
    const names = await listNames(db, orgId, [...new Set(open.map(({ head }) => head))]);
    open = open.flatMap(({ name, head }) => {
      const next = nameToFollow(head, names.get(head) ?? []);
      if (next === null) return [];
      heads.set(name, next);
      return isCve(next) ? [] : [{ name, head: next }];
    });
  }
  return heads;
}

/**
 * Maps each advisory identifier that has aliases to all names of its vulnerability, starting with itself. Keys are in
 * upper case.
 */
export async function expandAliases(
  db: Db,
  orgId: string,
  identifiers: readonly string[],
): Promise<Map<string, string[]>> {
  const asked = allAdvisoriesAmong(identifiers);
  if (asked.length === 0) return new Map();
  const heads = await resolveAliases(db, orgId, asked);
  const headOf = (name: string) => heads.get(name) ?? name;
  const direct = await listAliases(db, orgId, [...new Set(asked.map(headOf))]);
  const further = direct.length === 0 ? [] : await listAliases(db, orgId, direct);
  const candidates = [...new Set([...direct, ...further])];
  const resolved = await resolveAliases(db, orgId, candidates);
  const byHead = Map.groupBy(candidates, (candidate) => resolved.get(candidate));
  const namesOf = (name: string) => [...new Set([name, headOf(name), ...(byHead.get(headOf(name)) ?? [])])];
  return new Map(asked.map((name) => [name, namesOf(name)] as const).filter(([, names]) => names.length > 1));
}
