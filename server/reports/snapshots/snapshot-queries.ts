import { Parameters } from '../../findings/filter.ts';
import { selectionOf } from '../../findings/filters/select.ts';
import type { FindingFilters } from '../../findings/filters/table.ts';
import { excerptMembers, findingJoins, findingJson, standardsMember } from '../../findings/finding-sql.ts';
import { statuses } from '../../findings/lifecycle.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { commentsPerFinding } from '../report-model.ts';

/** Null if `location` is the only place: extracting it from the facts again cost half of the statement's time. */
const placesMember = `',"places":', COALESCE(f.places::text, 'null'),`;

/** The member `comments`: the newest ones, oldest first. */
const commentsMember = `',"comments":', CASE WHEN f.comment_count = 0 THEN '[]' ELSE (
  SELECT COALESCE(json_agg(json_build_object('author', u.name,
      'created_at', to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'comment', c.comment) ORDER BY c.id), '[]')::text
  FROM (SELECT * FROM finding_comments c WHERE c.org_id = $1 AND c.finding_id = f.id
      AND c.deleted_at IS NULL ORDER BY c.id DESC LIMIT ${commentsPerFinding}) c
  LEFT JOIN users u ON u.id = c.author_id) END,`;

/**
 * The member `closed`: the person, and the comment of that moment. A finding that was closed when first seen has no
 * history; its comment is the reason in the file.
 */
const closedMember = `',"closed":', CASE WHEN f.closed_at IS NULL THEN 'null' ELSE (
  SELECT json_build_object('by', u.name, 'reason', CASE WHEN f.comment_count > 0 THEN (
      SELECT c.comment FROM finding_comments c WHERE c.org_id = $1 AND c.finding_id = f.id AND c.deleted_at IS NULL
        AND c.author_id IS NOT DISTINCT FROM h.user_id AND (h.at IS NULL OR c.created_at = h.at) ORDER BY c.id LIMIT 1) END)::text
  FROM (SELECT) finding LEFT JOIN LATERAL (
    SELECT at, user_id FROM finding_history WHERE org_id = $1 AND finding_id = f.id AND changes->'status'->>1 = f.status
    ORDER BY at DESC, id DESC LIMIT 1) h ON true
  LEFT JOIN users u ON u.id = h.user_id) END,`;

/** The members of a finding in a report besides those of a list, with overdue findings determined at a given time. */
export const reportMembers = (at?: string): string =>
  `${standardsMember(at)}${excerptMembers}${placesMember}${commentsMember}${closedMember}`;

/**
 * Runs before `readFindings`: only ids and keys are sorted, since sorting whole findings would need much disk space, and
 * each finding is then looked up. So are the people, who would otherwise be compared one by one with each finding.
 */
export const lookUpInOrder = {
  text: `SELECT set_config('work_mem', '64MB', true), ${['hashjoin', 'mergejoin', 'seqscan', 'material']
    .map((name) => `set_config('enable_${name}', 'off', true)`)
    .join(', ')}`,
};

/**
 * Yields the selected findings in batches of JSON texts: by severity, the most severe first, then by status, then the
 * oldest first. The next batch is fetched while the caller processes one.
 */
export async function* readFindings(
  tx: Db,
  orgId: string,
  filters: FindingFilters,
  { batch, at }: { batch: number; at: Date },
): AsyncGenerator<string[]> {
  const parameters = new Parameters(orgId);
  const place = `array_position(${parameters.add(statuses)}::text[], f.status::text)`;
  const chosen = `SELECT f.id, f.severity, ${place} AS place, f.first_seen_at FROM findings f WHERE ${selectionOf(filters, parameters)}`;
  const text = `SELECT ${findingJson(reportMembers(`${parameters.add(at)}::timestamptz`))} AS json
    FROM (${chosen} ORDER BY f.severity DESC, place, f.first_seen_at, f.id OFFSET 0) o
    CROSS JOIN LATERAL (SELECT * FROM findings WHERE org_id = $1 AND id = o.id OFFSET 0) f ${findingJoins}
    ORDER BY o.severity DESC, o.place, o.first_seen_at, o.id`;
  await tx.query({ text: `DECLARE report_findings NO SCROLL CURSOR FOR ${text}`, values: parameters.values });
  const fetch = () => tx.query<{ json: string }>({ text: `FETCH ${batch} FROM report_findings` });
  for (let next: ReturnType<typeof fetch> | null = fetch(); next !== null; ) {
    const { rows }: { rows: Array<{ json: string }> } = await next;
    next = rows.length < batch ? null : fetch();
    // The error is thrown when the batch is awaited; the caller may fail before that.
    next?.catch(() => {});
    if (rows.length > 0) yield rows.map((row) => row.json);
  }
  await tx.query({ text: 'CLOSE report_findings' });
}
