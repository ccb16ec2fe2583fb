import { hashOf } from '../facts.ts';

/** The columns that scans write, the JSON as text. */
export type OldFacts = { title: string; severity: number; occurrences: number; facts: string; places: string | null };
export type RenewedFacts = { id: string; facts: string; factsHash: string };

/**
 * Returns facts that a version stored which did not know the tags of rules, as they would be stored today without any: the
 * next import of the same file then changes nothing.
 */
export function renewFacts(id: string, { facts, places, ...old }: OldFacts): RenewedFacts {
  const parsed = JSON.parse(facts) as { rule: object };
  const renewed = JSON.stringify({ ...parsed, rule: { ...parsed.rule, tags: [] } });
  return { id, facts: renewed, factsHash: hashOf({ ...old, facts: renewed, places: places ?? 'null' }) };
}
