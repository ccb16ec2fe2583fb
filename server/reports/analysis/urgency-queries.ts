import { Parameters } from '../../findings/filter.ts';
import { movesSince } from '../../findings/flows/flow-queries.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { endOf, isOpen, rowsOf, type Scope, select } from './head-queries.ts';

/** Counts of one severity in one data source: open findings, and findings resolved in the period. */
export type UrgencyRow = {
  dataSourceId: string;
  severity: number;
  open: number;
  unassigned: number;
  overdue: number;
  withoutDueDate: number;
  kept: number;
  missed: number;
  resolvedWithoutDueDate: number;
};

/** SQL of the findings resolved in the period, except those resolved with their data source. */
const resolvedIn = (scope: Scope, parameters: Parameters): string => {
  const from = `${parameters.add(scope.period.from)}::timestamptz`;
  return `(SELECT * FROM (${movesSince(scope.filters, parameters, from)}) m
    WHERE move = 'resolved' AND at < ${parameters.add(endOf(scope))}::timestamptz) r`;
};

/**
 * Counts open findings by their state under the policy, and findings resolved in the period by their due time then. A
 * data source may have two rows of the same severity.
 */
export const countUrgency = (tx: Db, orgId: string, scope: Scope): Promise<UrgencyRow[]> =>
  select(tx, orgId, scope, (where, parameters) => {
    const at = `${parameters.add(scope.at)}::timestamptz`;
    // Due times have a precision of milliseconds, like the closing time in the API.
    const shown = `date_trunc('milliseconds', at)`;
    return `SELECT f.data_source_id AS "dataSourceId", f.severity, count(*) AS open,
        count(*) FILTER (WHERE f.assignee_id IS NULL) AS unassigned, count(*) FILTER (WHERE f.due_at < ${at}) AS overdue,
        count(*) FILTER (WHERE f.due_at = 'infinity') AS "withoutDueDate", 0::bigint AS kept, 0::bigint AS missed,
        0::bigint AS "resolvedWithoutDueDate"
      FROM findings f WHERE ${where} AND ${isOpen} GROUP BY 1, 2
      UNION ALL SELECT data_source_id, severity, 0, 0, 0, 0, count(*) FILTER (WHERE ${shown} <= due_at), count(*) FILTER (WHERE ${shown} > due_at),
        count(*) FILTER (WHERE due_at IS NULL)
      FROM ${resolvedIn(scope, parameters)} GROUP BY 1, 2`;
  });

/** Returns the median of the days to fix of the findings resolved in the period; null if there are none. */
export async function findMedianDaysToFix(tx: Db, orgId: string, scope: Scope): Promise<number | null> {
  const parameters = new Parameters(orgId);
  const [row] = await rowsOf<{ days: number | null }>(
    tx,
    parameters,
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM at - opened_at) / 86400) AS days
     FROM ${resolvedIn(scope, parameters)}`,
  );
  return row?.days ?? null;
}
