import { type FindingFilters, Parameters, selectionOf } from '../findings/filters.ts';
import { findingJoins, findingJson, placesMember } from '../findings/finding-sql.ts';
import type { Status } from '../findings/lifecycle.ts';
import { type Severity, severityRank } from '../findings/severity.ts';
import type { Db } from '../platform/database.ts';
import { commentsPerFinding } from './report-model.ts';

/** The member `comments`: the newest ones, in the order in which they were written. */
const commentsMember = `',"comments":', CASE WHEN f.comment_count = 0 THEN '[]' ELSE (
  SELECT COALESCE(json_agg(json_build_object('author', u.name,
      'created_at', to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'comment', c.comment) ORDER BY c.id), '[]')::text
  FROM (SELECT * FROM finding_comments c WHERE c.org_id = $1 AND c.finding_id = f.id ORDER BY c.id DESC LIMIT ${commentsPerFinding}) c
  LEFT JOIN users u ON u.id = c.author_id) END,`;

/**
 * The selected findings of one severity and status, the oldest first, each as JSON text, in batches. One severity and status
 * after the other needs no sorting: an index has them in this order.
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
  const text = `SELECT ${findingJson(`${placesMember}${commentsMember}`)} AS json
    FROM (SELECT * FROM findings f WHERE ${where} ORDER BY f.first_seen_at, f.id) f ${findingJoins}
    ORDER BY f.first_seen_at, f.id`;
  await tx.query({ text: `DECLARE report_findings NO SCROLL CURSOR FOR ${text}`, values: parameters.values });
  for (;;) {
    const { rows } = await tx.query<{ json: string }>({ text: `FETCH ${batch} FROM report_findings` });
    if (rows.length > 0) yield rows.map((row) => row.json);
    if (rows.length < batch) break;
  }
  await tx.query({ text: 'CLOSE report_findings' });
}
