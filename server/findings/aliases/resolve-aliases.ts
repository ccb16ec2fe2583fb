import type { Db } from '../../platform/postgres/database.ts';
import { listAliases, listNames } from './alias-queries.ts';
import { advisoriesAmong, isCve, nameToFollow } from './names.ts';

/** An alias, GitHub's name of it, and the CVE. */
const maxSteps = 3;

/** Returns the name by which each of these advisories is known where it is another one; all in upper case. */
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
 * Returns each identifier of an advisory among these with all names of its vulnerability, itself first; others and
 * those without aliases are missing. The keys are in upper case.
 */
export async function expandAliases(
  db: Db,
  orgId: string,
  identifiers: readonly string[],
): Promise<Map<string, string[]>> {
  const asked = advisoriesAmong(identifiers);
  if (asked.length === 0) return new Map();
  const heads = await resolveAliases(db, orgId, asked);
  const headOf = (name: string) => heads.get(name) ?? name;
  const direct = await listAliases(db, orgId, [...new Set(asked.map(headOf))]);
  const further = direct.length === 0 ? [] : await listAliases(db, orgId, direct);
  const candidates = [...new Set([...direct, ...further])];
  const resolved = await resolveAliases(db, orgId, candidates);
  const namesOf = (name: string) => [
    ...new Set([name, headOf(name), ...candidates.filter((candidate) => resolved.get(candidate) === headOf(name))]),
  ];
  return new Map(asked.map((name) => [name, namesOf(name)] as const).filter(([, names]) => names.length > 1));
}
