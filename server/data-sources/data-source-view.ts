import type { Static } from 'typebox';
import { formatTime, formatTimeOrNull } from '../platform/times.ts';
import type { DataSource } from './data-source-schema.ts';
import type { DataSourceRow } from './queries.ts';

/** Returns a row as the API presents it. For the credential, it only states whether there is one. */
export function dataSourceView(row: DataSourceRow): Static<typeof DataSource> {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    config: row.config as Static<typeof DataSource>['config'],
    has_credential: row.sealed_credential !== null,
    tags: row.tags,
    owner: row.owner,
    criticality: row.criticality,
    exposure: row.exposure,
    status: row.status,
    status_message: row.scanners[0]?.reason ?? null,
    scanners: row.scanners,
    open_findings: row.open_findings,
    last_scanned_at: formatTimeOrNull(row.last_scanned_at),
    created_at: formatTime(row.created_at),
  };
}
