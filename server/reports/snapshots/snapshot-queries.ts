import { type FindingFilters, Parameters, selectionOf } from '../../findings/filters.ts';
import { findingJoins, findingJson } from '../../findings/finding-sql.ts';
import type { Status } from '../../findings/lifecycle.ts';
import { type Severity, severityRank } from '../../findings/severity.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { commentsPerFinding } from '../report-model.ts';

/** Null where `location` tells the only place: taking it out of the facts again cost half of the statement's time. */
const placesMember = `',"places":', COALESCE(f.places::text, 'null'),`;

/** The member `comments`: the newest ones, in the order in which they were written. */
const commentsMember = `',"comments":', CASE WHEN f.comment_count = 0 THEN '[]' ELSE (
  SELECT COALESCE(json_agg(json_build_object('author', u.name,
      'created_at', to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'comment', c.comment) ORDER BY c.id), '[]')::text
  FROM (SELECT * FROM finding_comments c WHERE c.org_id = $1 AND c.finding_id = f.id ORDER BY c.id DESC LIMIT ${commentsPerFinding}) c
  LEFT JOIN users u ON u.id = c.author_id) END,`;

/** Sorting would be done on whole findings, on disk: rather walk an index that has them in order, wherever there is one. */
export const avoidSorting = { text: 'SET LOCAL enable_sort = off' };

/**
 * The selected findings of one severity and status, the oldest first, each as JSON text, in batches; the next one is under
 * way while the caller works on one. One severity and status after the other needs no sorting: an index has them in this order.
 */
export async function* readFindings(
  tx: Db,
  orgId: string,
  filters: FindingFilters,
  { severity, status, batch }: { severity: Severity; status: Status; batch: number },
): AsyncGenerator<string[]> {
  const parameters = new Parameters(orgId);
  const where = `${selectionOf(filters, parameters)} AND f.severity = ${parameters.add(severityRank[severity])}
    AND f.status = ${parameters.add(status)}`;
  const text = `SELECT ${findingJson(`${placesMember}${commentsMember}`)} AS json FROM findings f ${findingJoins}
    WHERE ${where} ORDER BY f.first_seen_at, f.id`;
  await tx.query({ text: `DECLARE report_findings NO SCROLL CURSOR FOR ${text}`, values: parameters.values });
  const fetch = () => tx.query<{ json: string }>({ text: `FETCH ${batch} FROM report_findings` });
  for (let next: ReturnType<typeof fetch> | null = fetch(); next !== null; ) {
    const { rows }: { rows: Array<{ json: string }> } = await next;
    next = rows.length < batch ? null : fetch();
    // Told of when it is awaited; until then the caller may fail first.
    next?.catch(() => {});
    if (rows.length > 0) yield rows.map((row) => row.json);
  }
  await tx.query({ text: 'CLOSE report_findings' });
}
