import { type ProblemFacts, problemOf } from '@assay/scanner/contract/fingerprint.ts';
import type { Db } from '../platform/postgres/database.ts';
import { insertAliases } from './aliases/alias-queries.ts';
import { advisoriesAmong, aliasesAmong, headOf, isCve } from './aliases/names.ts';
import { resolveAliases } from './aliases/resolve-aliases.ts';
import type { FactSource } from './fact-source.ts';
import type { FactsRow } from './facts.ts';
import { cvesOf } from './urgency.ts';

type Heads = ReadonlyMap<string, string>;

/** Returns the advisories of a package finding that has no CVE. */
export const unnamedAdvisories = ({ identifiers, packageName }: ProblemFacts): string[] =>
  packageName === null || cvesOf(identifiers) !== null ? [] : advisoriesAmong(identifiers);

/**
 * Returns the CVEs and the problem number of a finding. A finding without CVEs of its own gets those that its
 * advisories are aliases of.
 */
export function followAliases(facts: ProblemFacts, heads: Heads): { cves: string[] | null; problem: string | null } {
  const head = headOf(unnamedAdvisories(facts), heads);
  if (head === null) return { cves: cvesOf(facts.identifiers), problem: problemOf(facts) };
  return { cves: isCve(head) ? [head] : null, problem: problemOf({ ...facts, identifiers: [head] }) };
}

function followRow(row: FactsRow, heads: Heads): FactsRow {
  const { identifiers, path, start_line: startLine, ecosystem, package_name: packageName, purl } = row;
  const facts = { identifiers, path, startLine, ecosystem, packageName, purl };
  const { cves, problem } = followAliases(facts, heads);
  const { cves: _cves, problem: _problem, ...rest } = row;
  return { ...rest, ...(cves && { cves }), ...(problem && { problem }) };
}

/**
 * Stores the aliases that the rows of a merge state. Returns the rows at these ascending ordinals whose CVEs or problem
 * follow from aliases, by ordinal. Run it before the transaction locks findings.
 */
export async function followAliasesOfRows(
  tx: Db,
  orgId: string,
  source: FactSource,
  ordinals: number[],
): Promise<Map<number, FactsRow>> {
  const wanted = new Set(ordinals);
  const named = (await source.named(tx, orgId)).filter(({ ordinal }) => wanted.has(ordinal));
  const stated = named.flatMap(({ cves, names }) => aliasesAmong([...cves, ...names]));
  const distinct = new Map(stated.map((alias) => [`${alias.alias} ${alias.name}`, alias]));
  if (distinct.size > 0) await insertAliases(tx, orgId, [...distinct.values()]);
  const unnamed = named.filter(({ cves }) => cves.length === 0);
  if (unnamed.length === 0) return new Map();
  const heads = await resolveAliases(tx, orgId, [...new Set(unnamed.flatMap(({ names }) => names))]);
  const followed = unnamed.filter(({ names }) => names.some((name) => heads.has(name))).map(({ ordinal }) => ordinal);
  const rows = await source.read(tx, orgId, followed);
  return new Map(followed.map((ordinal, index) => [ordinal, followRow(rows[index]!, heads)]));
}
