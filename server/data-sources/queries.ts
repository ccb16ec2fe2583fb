import { noteChange } from '../organization/change-number.ts';
import type { Db, Statement } from '../platform/postgres/database.ts';
import type { Importance } from './importance.ts';
import type { DataSourceKind } from './kind.ts';
import { type DataSourceStatus, joinScanStatus, type ScannerStatus } from './scan-status.ts';

export type DataSourceRow = {
  id: string;
  kind: DataSourceKind;
  name: string;
  address: string | null;
  config: Record<string, string | null>;
  sealed_credential: string | null;
  status: DataSourceStatus;
  scanners: ScannerStatus[];
  last_scanned_at: Date | null;
  version: number;
  created_at: Date;
  open_findings: number;
  owner: { id: string; name: string; email: string } | null;
} & Importance;

// Reads stored counts instead of counting the findings: see finding_counts.
/** SQL of the number of open findings of a data source `d`. */
export const openFindings = `(SELECT coalesce(sum(c.count), 0)::bigint FROM finding_counts c
   WHERE c.org_id = d.org_id AND c.data_source_id = d.id AND c.status IN ('new', 'triaged', 'in_progress'))`;
export const dataSourceColumns = `d.id, d.kind, d.name, d.address, d.config, d.sealed_credential, s.status, s.scanners, d.last_scanned_at,
  d.version, d.created_at, d.tags, d.owner_id, d.criticality, d.exposure,
  (SELECT json_build_object('id', u.id, 'name', u.name, 'email', u.email) FROM users u WHERE u.id = d.owner_id) AS owner,
  ${openFindings} AS open_findings`;
export const dataSourcesWithStatus = `data_sources d ${joinScanStatus('now()')}`;

/** Finds a data source that is not deleted. */
export function findDataSource(orgId: string, id: string): Statement {
  return {
    name: 'data_source_find',
    text: `SELECT ${dataSourceColumns} FROM ${dataSourcesWithStatus} WHERE d.org_id = $1 AND d.id = $2 AND d.deleted_at IS NULL`,
    values: [orgId, id],
  };
}

const propertyConditions = {
  tag: (values: string) => `d.tags && ${values}`,
  owner: (values: string) => `COALESCE(d.owner_id, 'none') = ANY(${values})`,
  name: (values: string) => `d.name = ANY(${values})`,
  criticality: (values: string) => `d.criticality = ANY(${values})`,
};

/**
 * Returns the ids of the data sources, including deleted ones, that have any of some values of a property and none of
 * others.
 */
export async function listDataSourcesWhere(
  db: Db,
  orgId: string,
  property: keyof typeof propertyConditions,
  { any, none }: { any: string[] | null; none: string[] | null },
): Promise<string[]> {
  const holds = propertyConditions[property];
  const { rows } = await db.query<{ id: string }>({
    name: `data_sources_where_${property}`,
    text: `SELECT d.id FROM data_sources d WHERE d.org_id = $1 AND ($2::text[] IS NULL OR ${holds('$2::text[]')})
           AND ($3::text[] IS NULL OR NOT ${holds('$3::text[]')})`,
    values: [orgId, any, none],
  });
  return rows.map((row) => row.id);
}

/** Finds the data source with this address. */
export async function findDataSourceByAddress(
  db: Db,
  orgId: string,
  kind: DataSourceKind,
  address: string,
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    text: 'SELECT id FROM data_sources WHERE org_id = $1 AND kind = $2 AND address = $3 AND deleted_at IS NULL',
    values: [orgId, kind, address],
  });
  return rows[0]?.id ?? null;
}

/** The values of `config`, `sealed_credential` and the importance, in this order. */
const changeable = (row: Pick<DataSourceRow, 'config' | 'sealed_credential'> & Importance) => [
  JSON.stringify(row.config),
  row.sealed_credential,
  row.tags,
  row.owner_id,
  row.criticality,
  row.exposure,
];

/** Returns false, and writes nothing, if a data source already has this kind and address. */
export async function insertDataSource(
  tx: Db,
  orgId: string,
  row: Pick<DataSourceRow, 'id' | 'kind' | 'name' | 'address' | 'config' | 'sealed_credential'> & Importance,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'data_source_insert',
    text: `INSERT INTO data_sources (org_id, id, kind, name, address, config, sealed_credential, tags, owner_id, criticality,
             exposure)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
           ON CONFLICT (org_id, kind, address) WHERE deleted_at IS NULL DO NOTHING`,
    values: [orgId, row.id, row.kind, row.name, row.address, ...changeable(row)],
  });
  if (rowCount === 1) await noteChange(tx, orgId);
  return rowCount === 1;
}

/**
 * Updates the fields that people may change, if the row still has `version`. Returns false if it was changed or deleted
 * meanwhile. Throws unique_violation (23505) if another data source has the address.
 */
export async function updateDataSource(
  tx: Db,
  orgId: string,
  row: Pick<DataSourceRow, 'id' | 'name' | 'address' | 'config' | 'sealed_credential' | 'version'> & Importance,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'data_source_update',
    text: `UPDATE data_sources
           SET name = $4, address = $5, config = $6, sealed_credential = $7, tags = $8, owner_id = $9, criticality = $10,
             exposure = $11, version = version + 1,
             importance_version = importance_version + (criticality <> $10 OR exposure <> $11)::int
           WHERE org_id = $1 AND id = $2 AND version = $3 AND deleted_at IS NULL`,
    values: [orgId, row.id, row.version, row.name, row.address, ...changeable(row)],
  });
  if (rowCount === 1) await noteChange(tx, orgId);
  return rowCount === 1;
}

/** Locks a data source that is not deleted until the end of the transaction; null if there is none. */
export async function lockDataSource(
  tx: Db,
  orgId: string,
  id: string,
): Promise<Pick<DataSourceRow, 'id' | 'kind' | 'name' | 'config' | 'version'> | null> {
  const { rows } = await tx.query<Pick<DataSourceRow, 'id' | 'kind' | 'name' | 'config' | 'version'>>({
    name: 'data_source_lock',
    text: `SELECT id, kind, name, config, version FROM data_sources
           WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`,
    values: [orgId, id],
  });
  return rows[0] ?? null;
}

/**
 * Prevents a data source from being deleted until the end of the transaction; false if it is already deleted. Scans can
 * still store their outcome. Call it before locking anything that a deletion locks too, such as scans, or the two can
 * deadlock.
 */
export async function keepDataSource(tx: Db, orgId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'data_source_keep',
    text: 'SELECT 1 FROM data_sources WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL FOR KEY SHARE',
    values: [orgId, id],
  });
  return rowCount === 1;
}

/** Removes it from lists and destroys its credential. The row stays, since findings and scans refer to it. */
export async function markDataSourceDeleted(tx: Db, orgId: string, id: string): Promise<void> {
  await tx.query({
    name: 'data_source_mark_deleted',
    text: `UPDATE data_sources SET deleted_at = now(), sealed_credential = NULL, version = version + 1
           WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL`,
    values: [orgId, id],
  });
  await noteChange(tx, orgId);
}

export type ScannableDataSource = Pick<
  DataSourceRow,
  'id' | 'kind' | 'name' | 'address' | 'config' | 'sealed_credential'
>;

/** Lists the possible targets of a scan, oldest first: all of these kinds, or only those in `ids`. */
export async function listScannableDataSources(
  db: Db,
  orgId: string,
  kinds: readonly DataSourceKind[],
  ids: readonly string[] | null = null,
): Promise<ScannableDataSource[]> {
  const { rows } = await db.query<ScannableDataSource>({
    name: 'data_sources_list_scannable',
    text: `SELECT id, kind, name, address, config, sealed_credential FROM data_sources
           WHERE org_id = $1 AND kind = ANY($2) AND ($3::text[] IS NULL OR id = ANY($3)) AND deleted_at IS NULL
           ORDER BY id`,
    values: [orgId, kinds, ids],
  });
  return rows;
}

/** Records that a scan of it has ended now. */
export async function noteScanEnd(tx: Db, orgId: string, id: string): Promise<void> {
  await tx.query({
    name: 'data_source_scan_end_note',
    text: `UPDATE data_sources SET last_scanned_at = GREATEST(last_scanned_at, statement_timestamp())
           WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL`,
    values: [orgId, id],
  });
}

/**
 * Lists the ids of the data sources with this name, oldest first; a few at most. If there are uploads, only these are
 * returned.
 */
export async function listDataSourcesByName(db: Db, orgId: string, name: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string; isUpload: boolean }>({
    name: 'data_sources_list_by_name',
    text: `SELECT id, kind = 'upload' AS "isUpload" FROM data_sources WHERE org_id = $1 AND name = $2 AND deleted_at IS NULL
           ORDER BY kind = 'upload' DESC, id LIMIT 5`,
    values: [orgId, name],
  });
  const uploads = rows.filter(({ isUpload }) => isUpload);
  return (uploads.length > 0 ? uploads : rows).map(({ id }) => id);
}

/** Makes other transactions that use the name of an upload wait until this one ends. */
export async function lockUploadName(tx: Db, orgId: string, name: string): Promise<void> {
  await tx.query({
    name: 'data_source_lock_upload',
    text: `SELECT pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'upload', $1::text, $2::text), 0))`,
    values: [orgId, name],
  });
}

/**
 * Records that a scan which began at this time has read the repository's decisions. Returns false if a newer one has, or
 * the data source is gone.
 */
export async function noteDecisionsRead(
  tx: Db,
  orgId: string,
  dataSourceId: string,
  startedAt: Date,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'data_source_note_decisions_read',
    text: `UPDATE data_sources SET decisions_read_at = $3
           WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL AND (decisions_read_at IS NULL OR decisions_read_at <= $3)`,
    values: [orgId, dataSourceId, startedAt],
  });
  return rowCount === 1;
}

/** Returns whether a scan that began after this time has read the repository's decisions. */
export async function isDecisionReadOvertaken(
  tx: Db,
  orgId: string,
  dataSourceId: string,
  startedAt: Date,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'data_source_decisions_overtaken',
    text: `SELECT FROM data_sources WHERE org_id = $1 AND id = $2 AND (deleted_at IS NOT NULL OR decisions_read_at > $3)`,
    values: [orgId, dataSourceId, startedAt],
  });
  return rowCount === 1;
}
