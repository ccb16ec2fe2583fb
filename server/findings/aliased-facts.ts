import { type ProblemFacts, problemOf } from '@assay/scanner/contract/fingerprint.ts';
import type { Db } from '../platform/postgres/database.ts';
import { insertAliases } from './aliases/alias-queries.ts';
import { advisoriesAmong, aliasesAmong, headOf, isCve } from './aliases/names.ts';
import { resolveAliases } from './aliases/resolve-aliases.ts';
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

/** The end of a package row that has advisories besides CVEs. */
const endOfRow = /(?:,"cves":(\[[^\]]*\]))?(?:,"problem":"-?\d+")?,"(?:advisories|aliases)":(\[[^\]]*\])\}$/;

type Advisories = { row: string; cves: string[]; advisories: string[] };

const readAdvisories = (row: string): Advisories => {
  const [, cves = '[]', advisories = '[]'] = endOfRow.exec(row) ?? [];
  return { row, cves: JSON.parse(cves), advisories: JSON.parse(advisories) };
};

function followRow({ row, cves, advisories }: Advisories, heads: Heads): string {
  if (cves.length > 0 || !advisories.some((name) => heads.has(name))) return row;
  const parsed = JSON.parse(row);
  const { identifiers, location } = parsed.facts;
  const { ecosystem, name: packageName, purl } = location.package;
  const facts = { identifiers, path: location.path, startLine: location.start_line, ecosystem, packageName, purl };
  return JSON.stringify({ ...parsed, ...followAliases(facts, heads) } satisfies FactsRow);
}

/**
 * Stores the aliases that the rows of a merge state, and returns the rows with their aliases resolved. Run it before
 * the transaction locks findings.
 */
export async function followAliasesOfRows(tx: Db, orgId: string, rows: string[]): Promise<string[]> {
  const read = rows.map(readAdvisories);
  const stated = read.flatMap(({ cves, advisories }) => aliasesAmong([...cves, ...advisories]));
  const distinct = new Map(stated.map((alias) => [`${alias.alias} ${alias.name}`, alias]));
  if (distinct.size > 0) await insertAliases(tx, orgId, [...distinct.values()]);
  const unnamed = read.flatMap(({ cves, advisories }) => (cves.length > 0 ? [] : advisories));
  if (unnamed.length === 0) return rows;
  const heads = await resolveAliases(tx, orgId, [...new Set(unnamed)]);
  return read.map((one) => followRow(one, heads));
}
