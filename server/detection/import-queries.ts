import type { Database, Db } from '../platform/database.ts';
import type { ImportedDetection } from './formats/format.ts';

export async function insertImportBatch(
  database: Database,
  orgId: string,
  scanId: string,
  sequence: number,
  batch: ImportedDetection[],
): Promise<void> {
  await database.single(orgId, {
    name: 'import_batch_insert',
    text: 'INSERT INTO import_batches (org_id, scan_id, sequence, detections) VALUES ($1, $2, $3, $4)',
    values: [orgId, scanId, sequence, JSON.stringify(batch)],
  });
}

export async function findImportBatch(
  database: Database,
  orgId: string,
  scanId: string,
  sequence: number,
): Promise<ImportedDetection[] | undefined> {
  const rows = await database.single<{ detections: string }>(orgId, {
    name: 'import_batch_find',
    text: 'SELECT detections FROM import_batches WHERE org_id = $1 AND scan_id = $2 AND sequence = $3',
    values: [orgId, scanId, sequence],
  });
  return rows[0] && (JSON.parse(rows[0].detections) as ImportedDetection[]);
}

export async function deleteImportBatches(db: Db, orgId: string, scanId: string): Promise<void> {
  await db.query({ text: 'DELETE FROM import_batches WHERE org_id = $1 AND scan_id = $2', values: [orgId, scanId] });
}

/** Removes what imports left behind that never became a scan, of all organizations. */
export async function purgeImportBatches(database: Database, olderThanMs: number): Promise<void> {
  await database.single(null, {
    text: `SELECT purge_import_batches(clock_timestamp() - $1 * interval '1 millisecond')`,
    values: [olderThanMs],
  });
}

export type PushSource = { type: string; name: string };

/** Makes detection sources known whose results come in by import. */
export async function insertPushSources(tx: Db, orgId: string, sources: PushSource[]): Promise<void> {
  await tx.query({
    name: 'push_sources_insert',
    text: `INSERT INTO push_sources (org_id, type, name) SELECT $1, d.type, d.name
           FROM json_to_recordset($2::json) AS d(type text, name text) ORDER BY d.type ON CONFLICT DO NOTHING`,
    values: [orgId, JSON.stringify(sources)],
  });
}

/** In the order of their types. */
export async function listPushSources(db: Db, orgId: string): Promise<PushSource[]> {
  const { rows } = await db.query<PushSource>({
    name: 'push_sources_list',
    text: 'SELECT type, name FROM push_sources WHERE org_id = $1 ORDER BY type',
    values: [orgId],
  });
  return rows;
}

/** Ids of findings of one place by their fingerprints, of those that nobody has decided on. */
export async function listUndecided(
  tx: Db,
  orgId: string,
  place: { dataSourceId: string; source: string },
  fingerprints: string[],
): Promise<Array<{ id: string; fingerprint: string }>> {
  const { rows } = await tx.query<{ id: string; fingerprint: string }>({
    name: 'findings_list_undecided',
    text: `SELECT id, fingerprint FROM findings
           WHERE org_id = $1 AND data_source_id = $2 AND source = $3 AND fingerprint = ANY($4::text[]) AND status = 'new'`,
    values: [orgId, place.dataSourceId, place.source, fingerprints],
  });
  return rows;
}

/** The organization of a data source that is not deleted, whichever it is: for the operator's command line only. */
export async function findOrganizationOfDataSource(database: Database, dataSourceId: string): Promise<string | null> {
  const [row] = await database.single<{ org: string | null }>(null, {
    text: 'SELECT organization_of_data_source($1) AS org',
    values: [dataSourceId],
  });
  return row?.org ?? null;
}
