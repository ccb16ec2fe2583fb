import type { Database } from '../../platform/postgres/database.ts';
import type { ColumnService } from '../live-columns/column-service.ts';
import type { KnownQuestion, KnownValue } from '../live-columns/known-values.ts';
import { ruleOf } from '../shared-texts.ts';
import { planSelection } from './select-findings.ts';

const contains = (text: string) => `position(lower($3::text) IN lower(${text})) > 0`;

/** The name of a rule is that of its newest finding of the highest severity. */
const listKnownRules = `SELECT f.value, n.name, f.count FROM (
    SELECT DISTINCT ON (rule_id) rule_id AS value, text_id, count(*) OVER (PARTITION BY rule_id) AS count FROM findings
    WHERE org_id = $1 AND rule_id > $2 ORDER BY rule_id, severity DESC, first_seen_at DESC, id DESC) f
  CROSS JOIN LATERAL (SELECT ${ruleOf}->>'name' AS name OFFSET 0) n
  WHERE $3::text IS NULL OR ${contains('f.value')} OR ${contains('n.name')} ORDER BY f.value LIMIT $4::integer`;

const listKnownTags = `SELECT k.value, k.value AS name, count(*) AS count FROM (
    SELECT unnest(tags) COLLATE "C" AS value FROM findings WHERE org_id = $1 AND tags <> '{}') k
  WHERE k.value > $2 AND ($3::text IS NULL OR ${contains('k.value')}) GROUP BY k.value ORDER BY k.value LIMIT $4::integer`;

const statements = {
  rule: { name: 'findings_list_known_rules', text: listKnownRules },
  tag: { name: 'findings_list_known_tags', text: listKnownTags },
};

/** Lists the rules or tags of the organization's findings, in their own order. */
export async function listKnownValues(
  { database, columns }: { database: Database; columns: ColumnService },
  orgId: string,
  field: 'rule' | 'tag',
  question: KnownQuestion,
): Promise<KnownValue[]> {
  const known = await columns.ask(orgId, 'listKnown', field, question);
  if (known !== null) return known;
  const { after, q, limit } = question;
  const values = [orgId, after, q ?? null, limit];
  return database.single<KnownValue>(orgId, { ...statements[field], values }, [planSelection]);
}
