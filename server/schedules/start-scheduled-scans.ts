import type { Detector } from '@assay/scanner/contract/detector.ts';
import { listDataSourcesWhere, listScannableDataSources } from '../data-sources/queries.ts';
import { listReadyDetectors, requireDetector, startScan } from '../detection/scans/start-scan.ts';
import type { Database, Db } from '../platform/postgres/database.ts';
import type { ScheduleRow } from './queries.ts';
import { type Outcome, refusalOf } from './refusal.ts';

/** The detection sources of a schedule that can run now, and the reasons why others can't. */
export type PreparedSources = { detectors: Detector[]; refusals: string[] };

/** Finds the sources of a schedule that can run. All (null) leaves out what is not installed or has no advisories. */
export async function prepareSources(
  database: Database,
  orgId: string,
  sources: string[] | null,
): Promise<PreparedSources> {
  if (sources === null) return { detectors: await listReadyDetectors(database), refusals: [] };
  const found = await Promise.all(sources.map((type) => refusalOf(() => requireDetector(database, orgId, type))));
  return {
    detectors: found.flatMap((one) => ('value' in one ? [one.value] : [])),
    refusals: found.flatMap((one) => ('refusal' in one ? [one.refusal] : [])),
  };
}

type Scope = Pick<ScheduleRow, 'dataSourceIds' | 'dataSourceTags'>;

/** Returns the ids of the data sources that a schedule covers now; null for all. */
async function listCovered(tx: Db, orgId: string, { dataSourceIds, dataSourceTags }: Scope): Promise<string[] | null> {
  if (dataSourceTags === null) return dataSourceIds;
  const tagged = await listDataSourcesWhere(tx, orgId, 'tag', { any: dataSourceTags, none: null });
  return [...new Set([...(dataSourceIds ?? []), ...tagged])];
}

/** Starts the scan of one source; undefined if it supports none of the data sources. */
async function startOne(
  tx: Db,
  orgId: string,
  detector: Detector,
  covered: string[] | null,
): Promise<Outcome<string> | undefined> {
  const targets = await listScannableDataSources(tx, orgId, detector.dataSourceKinds, covered);
  if (targets.length === 0) return undefined;
  const dataSourceIds = covered && targets.map(({ id }) => id);
  return refusalOf(() => startScan(tx, orgId, { detector, trigger: 'schedule', requestedBy: null, dataSourceIds }));
}

function whyNothingStarted({ detectors, refusals }: PreparedSources, { dataSourceTags }: Scope): string {
  if (refusals.length > 0) return refusals.join(' ');
  if (detectors.length === 0) return 'No detection source can run. GET /detection-sources has the reasons.';
  const kinds = [...new Set(detectors.flatMap(({ dataSourceKinds }) => dataSourceKinds))].join(', ');
  return dataSourceTags === null
    ? `There is nothing to scan: add a data source of kind ${kinds} first.`
    : `There is nothing to scan: no data source of kind ${kinds} has the tag ${dataSourceTags.join(' or ')}.`;
}

/**
 * Starts a scan for each source that supports a data source of the schedule, and returns the ids of the scans, with an
 * error if none or not all could start. A tag counts as it is now.
 */
export async function startScheduledScans(
  tx: Db,
  orgId: string,
  schedule: Scope,
  prepared: PreparedSources,
): Promise<{ madeIds: string[]; error: string | null }> {
  const covered = await listCovered(tx, orgId, schedule);
  const madeIds: string[] = [];
  const refusals = [...prepared.refusals];
  // In one order on all nodes: a scan waits for another one of its source and extent that is just starting.
  const detectors = [...prepared.detectors].sort((a, b) => (a.type < b.type ? -1 : 1));
  for (const detector of detectors) {
    const started = await startOne(tx, orgId, detector, covered);
    if (started && 'value' in started) madeIds.push(started.value);
    if (started && 'refusal' in started) refusals.push(`${detector.name}: ${started.refusal}`);
  }
  if (madeIds.length === 0) return { madeIds, error: whyNothingStarted({ ...prepared, refusals }, schedule) };
  return { madeIds, error: refusals.length > 0 ? refusals.join(' ') : null };
}
