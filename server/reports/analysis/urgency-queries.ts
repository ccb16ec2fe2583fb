import { daysOfOrganization } from '../../findings/policy-queries.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { type ChangeKind, changeCounts } from './change-queries.ts';
import { isOpen, type Scope, select } from './head-queries.ts';

/** Counts of the findings of one severity in one data source, and of those that changed. */
export type UrgencyRow = Record<ChangeKind, number> & {
  dataSourceId: string;
  severity: number;
  open: number;
  unassigned: number;
  overdue: number;
  withoutDueDate: number;
  kept: number;
  missed: number;
};

/**
 * Counts findings by what the policy says about them, and by what changed after `since`. The due date of a resolved one
 * follows from the policy of now.
 */
export const countUrgency = (tx: Db, orgId: string, scope: Scope, since: Date): Promise<UrgencyRow[]> =>
  select(tx, orgId, scope, (where, parameters) => {
    const at = `${parameters.add(scope.at)}::timestamptz`;
    const from = `${parameters.add(scope.period.from)}::timestamptz`;
    const to = `${parameters.add(scope.period.to)}::timestamptz + interval '1 second'`;
    const due = `finding_due_at(NULL, COALESCE(f.reopened_at, f.first_seen_at), f.severity, f.urgency_bits, d.criticality, (SELECT days FROM policy))`;
    const resolved = `f.status = 'resolved' AND f.closed_at >= ${from} AND f.closed_at < ${to}
      AND f.resolution IS DISTINCT FROM 'data_source_removed'`;
    return `WITH policy AS MATERIALIZED (SELECT ${daysOfOrganization} AS days)
      SELECT f.data_source_id AS "dataSourceId", f.severity,
        count(*) FILTER (WHERE ${isOpen}) AS open,
        count(*) FILTER (WHERE ${isOpen} AND f.assignee_id IS NULL) AS unassigned,
        count(*) FILTER (WHERE ${isOpen} AND f.due_at < ${at}) AS overdue,
        count(*) FILTER (WHERE ${isOpen} AND f.due_at = 'infinity') AS "withoutDueDate",
        count(*) FILTER (WHERE ${resolved} AND f.closed_at <= ${due}) AS kept,
        count(*) FILTER (WHERE ${resolved} AND f.closed_at > ${due}) AS missed, ${changeCounts(`${parameters.add(since)}::timestamptz`)}
      FROM findings f JOIN data_sources d ON d.org_id = $1 AND d.id = f.data_source_id
      WHERE ${where} GROUP BY 1, 2`;
  });

/** Returns the median of the days to fix, of the findings that were resolved in the period; null without any. */
export async function findMedianDaysToFix(tx: Db, orgId: string, scope: Scope): Promise<number | null> {
  const [row] = await select<{ days: number | null }>(tx, orgId, scope, (where, parameters) => {
    const from = `${parameters.add(scope.period.from)}::timestamptz`;
    const to = `${parameters.add(scope.period.to)}::timestamptz + interval '1 second'`;
    return `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM
          f.closed_at - COALESCE(f.reopened_at, f.first_seen_at)) / 86400) AS days
      FROM findings f WHERE ${where} AND f.status = 'resolved' AND f.resolution IS DISTINCT FROM 'data_source_removed'
        AND f.closed_at >= ${from} AND f.closed_at < ${to}`;
  });
  return row?.days ?? null;
}
