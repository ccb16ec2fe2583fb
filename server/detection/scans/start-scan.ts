import type { Detector } from '@assay/scanner/contract/detector.ts';
import type { DataSourceDeleted } from '../../data-sources/delete-data-source.ts';
import { listScannableDataSources } from '../../data-sources/queries.ts';
import { resolveFindingsOfRemovedSource } from '../../findings/close-findings.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/id.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { storedAdvisories } from '../advisories/queries.ts';
import { findDetector, listDetectors } from '../registry.ts';
import { hurryTargets } from '../targets/postpone-target.ts';
import { enqueueTarget } from '../targets/target-job.ts';
import { cancelTargetsOfDataSource } from '../targets/target-queries.ts';
import { enqueueCleanUp } from './jobs.ts';
import { listPushSources } from './push-source-queries.ts';
import { findActiveScan, insertScan, type ScanTrigger } from './queries.ts';

export type ScanRequest = {
  detector: Detector;
  trigger: ScanTrigger;
  requestedBy: string | null;
  /** The data sources to scan; null for all that the detector handles. */
  dataSourceIds: string[] | null;
};

/**
 * Returns the detection source of this type, ready to run. Call it outside transactions. Throws 404, and 409 when it
 * can't run.
 */
export async function requireDetector(database: Database, orgId: string, type: string): Promise<Detector> {
  const detector = findDetector(type);
  const reason = detector ? await detector.unavailableReason(storedAdvisories(database)) : null;
  if (detector && reason === null) return detector;
  const pushed = await database.transaction(orgId, (tx) => listPushSources(tx, orgId));
  if (pushed.some((source) => source.type === type)) {
    const here = reason === null ? '' : ` Its program is not here: ${reason}`;
    throw new ApiError('scan_not_supported', `The platform can't run ${type}: its results come in by import.${here}`);
  }
  if (!detector) throw notFound(`Detection source ${type}`);
  throw new ApiError('detection_source_unavailable', `${detector.name} can't run: ${reason}`);
}

/** Returns the detection sources that can run now. Call it outside transactions. */
export async function listReadyDetectors(database: Database): Promise<Detector[]> {
  const detectors = listDetectors();
  const advisories = storedAdvisories(database);
  const reasons = await Promise.all(detectors.map((detector) => detector.unavailableReason(advisories)));
  return detectors.filter((_, index) => reasons[index] === null);
}

async function listTargets(tx: Db, orgId: string, { detector, dataSourceIds }: ScanRequest): Promise<string[]> {
  const rows = await listScannableDataSources(tx, orgId, detector.dataSourceKinds, dataSourceIds);
  if (rows.length > 0) return rows.map((row) => row.id);
  const kinds = detector.dataSourceKinds.join(', ');
  throw new ApiError(
    'no_matching_data_source',
    dataSourceIds === null
      ? `There is nothing to scan: add a data source of kind ${kinds} first.`
      : `${dataSourceIds.join(', ')}: no data source of a kind that ${detector.type} scans (${kinds}).`,
  );
}

/**
 * Starts a scan in the caller's transaction and returns its id. If an unfinished scan of this source includes all
 * these targets, its id is returned, and those of its targets that are paused before a retry start at once. Throws
 * 409 when there is nothing to scan.
 */
export async function startScan(tx: Db, orgId: string, request: ScanRequest): Promise<string> {
  const targets = await listTargets(tx, orgId, request);
  const { detector, trigger, requestedBy } = request;
  const dataSourceIds = request.dataSourceIds && [...new Set(request.dataSourceIds)].sort();
  const source = detector.type;
  const wanted = { targets, ofAll: dataSourceIds === null };
  const active = await findActiveScan(tx, orgId, source, wanted);
  if (active) {
    await hurryTargets(tx, orgId, active);
    return active;
  }
  const id = newId('scan');
  if (!(await insertScan(tx, orgId, { id, source, trigger, requestedBy, dataSourceIds }, targets))) {
    const other = await findActiveScan(tx, orgId, source, wanted);
    if (other) return other;
    throw new ApiError('conflict', 'Another scan of this source was just ending. Try again.');
  }
  for (const target of targets) await enqueueTarget(tx, orgId, id, target);
  return id;
}

/** Cancels the scans of a deleted data source and resolves its open findings; a job does the rest. */
export const detectionOnDataSourceDeleted: DataSourceDeleted = async (tx, orgId, dataSourceId) => {
  await cancelTargetsOfDataSource(tx, orgId, dataSourceId);
  await resolveFindingsOfRemovedSource(tx, orgId, null, dataSourceId);
  await enqueueCleanUp(tx, orgId, dataSourceId);
};
