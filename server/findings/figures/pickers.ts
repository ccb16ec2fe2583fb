import type { Database } from '../../platform/postgres/database.ts';
import { planSelection } from './select-findings.ts';

/** A value that findings have, and the number of findings. */
export type KnownValue = { value: string; name: string; count: number };
export type PickerPage = { after: string; q: string | undefined; limit: number };

/** The maximum number of distinct values that a picker reads. */
export const maxKnown = 10_000;

/**
 * Returns SQL that steps through the distinct values of a column, each by one lookup in the index that leads with it.
 * Without a text to match, it stops when the page is full.
 */
const distinctValues = (table: string, column: string) => `WITH RECURSIVE known(value, number) AS (
    (SELECT ${column}, 1 FROM ${table} WHERE org_id = $1 AND ${column} > $2 ORDER BY ${column} LIMIT 1)
    UNION ALL
    SELECT (SELECT ${column} FROM ${table} WHERE org_id = $1 AND ${column} > k.value ORDER BY ${column} LIMIT 1), number + 1
    FROM known k WHERE k.value IS NOT NULL AND number < CASE WHEN $3::text IS NULL THEN $4::integer ELSE ${maxKnown} END)`;

const count = (table: string, column: string) =>
  `(SELECT count(*) FROM ${table} WHERE org_id = $1 AND ${column} = k.value)`;

const contains = (text: string) => `position(lower($3::text) IN lower(${text})) > 0`;

const listKnownRules = `${distinctValues('findings', 'rule_id')}
  SELECT k.value, k.name, ${count('findings', 'rule_id')} AS count FROM (
    SELECT known.value, f.name FROM known CROSS JOIN LATERAL (SELECT facts->'rule'->>'name' AS name FROM findings
      WHERE org_id = $1 AND rule_id = known.value ORDER BY severity DESC, first_seen_at DESC, id DESC LIMIT 1) f
    WHERE known.value IS NOT NULL AND ($3::text IS NULL OR ${contains('known.value')} OR ${contains('f.name')})
    ORDER BY known.value LIMIT $4::integer) k ORDER BY k.value`;

const listKnownTags = `${distinctValues('finding_tags', 'tag')}
  SELECT k.value, k.value AS name, ${count('finding_tags', 'tag')} AS count FROM (
    SELECT known.value FROM known WHERE known.value IS NOT NULL AND ($3::text IS NULL OR ${contains('known.value')})
    ORDER BY known.value LIMIT $4::integer) k ORDER BY k.value`;

const statements = {
  rule: { name: 'findings_list_known_rules', text: listKnownRules },
  tag: { name: 'findings_list_known_tags', text: listKnownTags },
};

/** Lists the rules or tags of the organization's findings, in their own order. */
export function listKnownValues(
  database: Database,
  orgId: string,
  field: 'rule' | 'tag',
  { after, q, limit }: PickerPage,
): Promise<KnownValue[]> {
  const values = [orgId, after, q ?? null, limit];
  return database.single<KnownValue>(orgId, { ...statements[field], values }, [planSelection]);
}
