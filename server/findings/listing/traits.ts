import { anyOf, type Parameters } from '../filter.ts';
import type { FindingFilters } from '../filters/table.ts';
import { statuses } from '../lifecycle.ts';
import { severityRank } from '../severity.ts';

/** The bits of each trait in `findings.traits` (finding_traits() in the migrations), and how a value is encoded. */
const layout = {
  source: { shift: 6, mask: 255, code: (value: string) => `hashtext(${value})` },
  data_source: { shift: 14, mask: 16_383, code: (value: string) => `hashtext(${value})` },
  rule: { shift: 28, mask: 16_383, code: (value: string) => `hashtext(${value})` },
  // Zero means no assignee.
  assignee: { shift: 42, mask: 2_047, code: (value: string) => `(hashtext(${value}) | 1)` },
};

/** The severity (0-4) within traits, by which index-only walks in other orders sort. */
const severityTrait = 'f.traits & 7';

/** More values than these are looked up in a hash table instead of one by one. */
const maxCompared = 20;

/** The subqueries encode the values once per statement instead of once per row. */
function coded(trait: keyof typeof layout, values: string[], parameters: Parameters): string {
  const { shift, mask, code } = layout[trait];
  const given = parameters.add(values.filter((value) => trait !== 'assignee' || value !== 'none'));
  const none = trait === 'assignee' && values.includes('none') ? ' || 0::bigint' : '';
  const codes = `SELECT (${code('value')} & ${mask})::bigint FROM unnest(${given}::text[]) AS value`;
  // IS TRUE keeps the subquery from becoming a join: it is hashed once, however many values there are.
  if (values.length > maxCompared && none === '') return `((f.traits >> ${shift}) & ${mask} IN (${codes})) IS TRUE`;
  return `(f.traits >> ${shift}) & ${mask} = ANY(ARRAY(${codes})${none})`;
}

/**
 * Returns conditions on `f.traits` that every finding of the filters meets, and few others. Traits are eight bytes in
 * all indexes of lists, so a walk skips most other findings without reading the table; findings that pass are then
 * checked against the filters themselves. Time ranges and `q` are not among the traits.
 */
export function traitConditions(filters: FindingFilters, parameters: Parameters): string[] {
  const conditions: string[] = [];
  if (filters.severity) {
    const ranks = filters.severity.map((severity) => severityRank[severity]);
    conditions.push(anyOf(`(${severityTrait})`, ranks, 'bigint', parameters));
  }
  if (filters.status) {
    const codes = filters.status.map((status) => statuses.indexOf(status));
    conditions.push(anyOf('((f.traits >> 3) & 7)', codes, 'bigint', parameters));
  }
  for (const trait of ['source', 'data_source', 'rule', 'assignee'] as const) {
    const values = filters[trait];
    if (values) conditions.push(coded(trait, values, parameters));
  }
  if (filters.tag) conditions.push(`f.traits & (SELECT finding_tag_bits(${parameters.add(filters.tag)}::text[])) <> 0`);
  return conditions;
}
