import type { Location } from '@assay/scanner/contract/detection.ts';
import { Parameters } from '../../findings/filter.ts';
import { selectionOf } from '../../findings/filters/select.ts';
import { locationJson } from '../../findings/finding-sql.ts';
import { movesSince, pastOf } from '../../findings/flows/flow-queries.ts';
import type { Status } from '../../findings/lifecycle.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { rowsOf, type Scope } from './head-queries.ts';

/** The moves of each kind of change. */
export const changeMoves = { new: 'new', fixed: 'resolved', reopened: 'reopened', accepted: 'accepted' } as const;
export type ChangeKind = keyof typeof changeMoves;

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

/**
 * Returns the most severe findings changed since a time, each with its last such change; within a severity, the latest
 * change first.
 */
export function listChanged(
  tx: Db,
  orgId: string,
  { filters }: Scope,
  kind: ChangeKind,
  { since, limit }: { since: Date; limit: number },
): Promise<ListedRow[]> {
  const parameters = new Parameters(orgId);
  const from = `${parameters.add(since)}::timestamptz`;
  const moved =
    kind === 'new'
      ? `SELECT f.id, f.severity, f.first_seen_at AS at FROM findings f
         WHERE ${selectionOf(pastOf(filters), parameters)} AND f.first_seen_at >= ${from}`
      : `SELECT DISTINCT ON (id) id, severity, at FROM (${movesSince(filters, parameters, from)}) m
         WHERE move = '${changeMoves[kind]}' ORDER BY id, at DESC`;
  return rowsOf(
    tx,
    parameters,
    `WITH chosen AS MATERIALIZED (
      SELECT * FROM (${moved}) m ORDER BY severity DESC, at DESC, id LIMIT ${limit})
    SELECT f.id, f.title, ${locationJson('f')} AS location, chosen.severity, f.status, d.id AS "dataSourceId", d.name AS "dataSource", chosen.at
    FROM chosen JOIN findings f ON f.org_id = $1 AND f.id = chosen.id
    JOIN data_sources d ON d.org_id = $1 AND d.id = f.data_source_id
    ORDER BY chosen.severity DESC, chosen.at DESC, f.id`,
  );
}
