import type { Location } from '../../findings/detection.ts';
import type { Status } from '../../findings/lifecycle.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { isOpen, type Scope, select } from './head-queries.ts';

export type ChangeKind = 'new' | 'fixed' | 'reopened' | 'accepted';

/** When a finding changed in each way, and which findings did. */
const changes: Record<ChangeKind, { at: string; condition: string }> = {
  new: { at: 'f.first_seen_at', condition: 'true' },
  fixed: { at: 'f.closed_at', condition: `f.status = 'resolved'` },
  reopened: { at: 'f.reopened_at', condition: `f.reopened_count > 0 AND ${isOpen}` },
  accepted: { at: 'f.closed_at', condition: `f.status = 'accepted_risk'` },
};
const changeKinds = Object.keys(changes) as ChangeKind[];

/** Returns SQL of the number of findings that changed in each way after `since`. */
export const changeCounts = (since: string): string =>
  changeKinds
    .map((kind) => `count(*) FILTER (WHERE ${changes[kind].at} > ${since} AND ${changes[kind].condition}) AS "${kind}"`)
    .join(', ');

export type ListedRow = {
  id: string;
  title: string;
  location: Location;
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
    return `WITH chosen AS MATERIALIZED (
        SELECT f.id, f.title, f.severity, f.status, f.data_source_id, ${at} AS at
        FROM findings f WHERE ${where} AND ${condition} AND ${at} > ${parameters.add(since)}::timestamptz
        ORDER BY f.severity DESC, ${at} DESC, f.id LIMIT ${limit})
      SELECT f.id, f.title, own.facts->'location' AS location, f.severity, f.status, d.id AS "dataSourceId",
        d.name AS "dataSource", f.at
      FROM chosen f JOIN findings own ON own.org_id = $1 AND own.id = f.id
      JOIN data_sources d ON d.org_id = $1 AND d.id = f.data_source_id
      ORDER BY f.severity DESC, f.at DESC, f.id`;
  });
