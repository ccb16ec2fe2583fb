import type { Database } from '../../platform/postgres/database.ts';
import type { ColumnService } from '../live-columns/column-service.ts';
import { boundedCount } from '../live-columns/found.ts';
import { rankSuggestions, type Suggestion, type SuggestQuestion } from '../live-columns/suggest.ts';

/** Values that SQL ranks no further; a small organization has fewer. */
const maxFound = 2_000;

const statement = `SELECT field, value, count(*)::integer AS count FROM (
    SELECT f.rule_id, f.package_name AS package, f.identifiers
    FROM findings f WHERE f.org_id = $1 AND f.closed_at IS NULL) f
  CROSS JOIN LATERAL (
    SELECT 'rule' AS field, f.rule_id AS value
    UNION ALL SELECT 'package', f.package WHERE f.package IS NOT NULL
    UNION ALL SELECT DISTINCT 'identifier', identifier FROM json_array_elements_text(f.identifiers) AS identifier) given
  WHERE NOT EXISTS (SELECT FROM unnest($2::text[]) AS word WHERE position(word IN lower(value)) = 0)
  GROUP BY field, value ORDER BY count DESC LIMIT ${maxFound}`;

type Request = SuggestQuestion & { columns: ColumnService; signal: AbortSignal | undefined };

/** Returns the identifiers, packages and rules of open findings that contain all words, the best first. */
export async function listSuggestions(
  database: Database,
  orgId: string,
  { columns, signal, ...question }: Request,
): Promise<Suggestion[]> {
  const found = await columns.ask(orgId, 'suggestValues', question);
  if (found) return found;
  const given = { text: statement, values: [orgId, question.words], signal };
  return rankSuggestions(await database.single<Suggestion>(orgId, given, [boundedCount]), question);
}
