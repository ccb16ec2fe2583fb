import type { Status } from '../../findings/lifecycle.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { isOpen, type Scope, select } from './head-queries.ts';

export type ChangeKind = 'new' | 'fixed' | 'reopened' | 'accepted';

/** When a finding changed in each way, and which findings did. */
const changes: Record<ChangeKind, { at: string; condition: string }> = {
  new: { at: 'f.first_seen_at', condition: 'true' },
  fixed: { at: 'f.closed_at', condition: `f.status = 'resolved'` },
  reopened: { at: 'f.reopened_at', condition: isOpen },
  accepted: { at: 'f.closed_at', condition: `f.status = 'accepted_risk'` },
};
const changeKinds = Object.keys(changes) as ChangeKind[];

export type ChangeCountRow = { severity: number } & Record<ChangeKind, number>;

/** Counts what changed after `since`, by severity. */
export const countChanges = (tx: Db, orgId: string, scope: Scope, since: Date): Promise<ChangeCountRow[]> =>
  select(tx, orgId, scope, (where, parameters) => {
    const after = `${parameters.add(since)}::timestamptz`;
    const counts = changeKinds.map(
      (kind) => `count(*) FILTER (WHERE ${changes[kind].at} > ${after} AND ${changes[kind].condition}) AS "${kind}"`,
    );
    return `SELECT f.severity, ${counts.join(', ')} FROM findings f WHERE ${where} GROUP BY 1`;
  });

export type ListedRow = {
  id: string;
  title: string;
  severity: number;
  status: Status;
  dataSourceId: string;
  dataSource: string;
  at: Date;
};

/** Returns the most severe findings that changed after `since`; of the same severity, the latest first. */
export const listChanged = (
  tx: Db,
  orgId: string,
  scope: Scope,
  kind: ChangeKind,
  { since, limit }: { since: Date; limit: number },
): Promise<ListedRow[]> =>
  select(tx, orgId, scope, (where, parameters) => {
    const { at, condition } = changes[kind];
    return `SELECT f.id, f.title, f.severity, f.status, d.id AS "dataSourceId", d.name AS "dataSource", ${at} AS at
      FROM findings f JOIN data_sources d ON d.org_id = $1 AND d.id = f.data_source_id
      WHERE ${where} AND ${condition} AND ${at} > ${parameters.add(since)}::timestamptz
      ORDER BY f.severity DESC, ${at} DESC, f.id LIMIT ${limit}`;
  });
