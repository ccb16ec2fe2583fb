import { dataSourceKinds } from '../../data-sources/kind.ts';
import { keepDataSource, listScannableDataSources } from '../../data-sources/queries.ts';
import { notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { detectors } from '../registry.ts';
import { insertPushSources } from '../scans/push-source-queries.ts';
import { insertScan, updateToolVersions } from '../scans/queries.ts';
import { enqueueImport, type ImportJob } from './merge-import.ts';
import { insertImport } from './queries.ts';
import type { ReceivedImport } from './receive-import.ts';

/** Throws 404 unless the organization has this data source. Data sources of any kind accept imports. */
export async function requireImportTarget(db: Db, orgId: string, dataSourceId: string): Promise<void> {
  const known =
    isId('ds', dataSourceId) && (await listScannableDataSources(db, orgId, dataSourceKinds, [dataSourceId])).length > 0;
  if (!known) throw notFound('Data source');
}

/**
 * Creates the scan of a received import and enqueues its merge, in the caller's transaction. Returns the job, whose
 * `scan_id` is the scan. Throws 404 unless the organization has the data source.
 */
export async function startImport(
  tx: Db,
  orgId: string,
  request: { dataSourceId: string; requestedBy: string | null; closeMissing: boolean },
  received: ReceivedImport,
): Promise<ImportJob> {
  const { dataSourceId, requestedBy, closeMissing } = request;
  // A concurrent deletion then waits for this transaction and cancels the scan, or has committed already. Otherwise,
  // the deletion would miss the scan, which would add findings.
  if (!(await keepDataSource(tx, orgId, dataSourceId))) throw notFound('Data source');
  await insertPushSources(
    tx,
    orgId,
    received.sources.filter(({ type }) => !detectors.some((builtIn) => builtIn.type === type)),
  );
  const scan = { id: received.scanId, source: received.sources[0]!.type, trigger: 'import' as const, requestedBy };
  await insertScan(tx, orgId, { ...scan, dataSourceIds: [dataSourceId] }, [dataSourceId]);
  const { scanId, batches, versions, incomplete, gaps, cut } = received;
  if (Object.keys(versions).length > 0) await updateToolVersions(tx, orgId, { scanId, dataSourceId }, versions);
  const sources = received.sources.map(({ type }) => type);
  await insertImport(tx, orgId, { scanId, dataSourceId }, { batches, sources, closeMissing, incomplete, gaps, cut });
  const job = { org_id: orgId, scan_id: scanId, data_source_id: dataSourceId };
  await enqueueImport(tx, job);
  return job;
}
