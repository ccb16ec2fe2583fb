import { sealDays } from '../findings/change-clock.ts';
import type { FindingFilters } from '../findings/filters/table.ts';
import { ApiError } from '../platform/errors.ts';
import { idPattern } from '../platform/id.ts';
import { isInterruption } from '../platform/interruption.ts';
import type { JobDefinition } from '../platform/jobs/jobs.ts';
import { type Log, silentLog } from '../platform/log.ts';
import type { Database, Db } from '../platform/postgres/database.ts';
import type { Replicas } from '../platform/postgres/replicas/replicas.ts';
import { formatTime, readTime } from '../platform/times.ts';
import { analyse } from './analysis/analyse.ts';
import { nameFilters } from './analysis/filter-names.ts';
import { findNumbers, findToday, listDataSources, type Scope, startOfDay } from './analysis/head-queries.ts';
import { describeFilters } from './describe-filters.ts';
import { requestExport } from './exports/exports.ts';
import { snapshotJobType } from './job-types.ts';
import {
  completeReport,
  countFailedSnapshot,
  failReport,
  findHead,
  findPendingReport,
  findPreviousHead,
  insertBatch,
  type PendingReport,
} from './queries.ts';
import { defaultDocument, type ReportLanguage } from './report-document.ts';
import { normalizeFilters, readReportFilters } from './report-filters.ts';
import type { ComposedHead, ReportHead } from './report-model.ts';
import { wordingIn } from './sentences/wording.ts';
import { compress } from './snapshots/compressed.ts';
import { computeFigures } from './snapshots/report-head.ts';
import { batchText, findingsPerBatch } from './snapshots/snapshot-batch.ts';
import { SnapshotHash } from './snapshots/snapshot-hash.ts';
import { lookUpInOrder, readFindings } from './snapshots/snapshot-queries.ts';

const maxFailures = 3;
const defaultPeriodMs = 30 * 86_400_000;
const findingIds = new RegExp(idPattern('fnd').slice(1, -1), 'g');

/** `stopping` aborts when the process stops; another worker, or the next start, then takes the snapshot. */
export type SnapshotServices = {
  database: Database;
  replicas?: Pick<Replicas, 'readerOfNow'> | null;
  stopping?: AbortSignal;
  log?: Log;
};

/** The selection that a snapshot is taken of, and the id under which it is stored. */
type Order = {
  orgId: string;
  id: string;
  report: PendingReport;
  /** Runs the statements that store it in one transaction. */
  store<T>(run: (tx: Db) => Promise<T>): Promise<T>;
  stopping: AbortSignal | undefined;
};

/**
 * Takes the snapshot of a requested report in one view of the database and stores it in one transaction. If there are
 * replicas, the view is from one that is at least as current as the primary was when the job started. If the replica
 * fails midway, nothing is stored, and the view comes from the primary.
 */
export const takeSnapshotJob: JobDefinition<SnapshotServices, typeof snapshotJobType.schema> = {
  ...snapshotJobType,
  async run({ org_id: orgId, report_id: id }, { database, replicas, stopping, log = silentLog }) {
    const report = await database.transaction(orgId, (tx) => findPendingReport(tx, orgId, id));
    if (!report) return;
    const fail = (error: string) => database.transaction(orgId, (tx) => failReport(tx, orgId, id, error));
    try {
      await sealDays(database, orgId, log);
      const reads = (await replicas?.readerOfNow()) ?? database;
      const store: Order['store'] = (run) => database.transaction(orgId, run);
      await reads.consistentTransaction(orgId, (tx) => takeSnapshot(tx, { orgId, id, report, store, stopping }));
    } catch (error) {
      if (stopping?.aborted || isInterruption(error)) throw error;
      // Filters that were valid when the report was requested may have become invalid; another attempt would not help.
      if (error instanceof ApiError && error.status < 500) return fail(error.message);
      const failures = await database.transaction(orgId, (tx) => countFailedSnapshot(tx, orgId, id));
      if (failures === maxFailures)
        await fail('The snapshot could not be taken in several attempts; see the server log for the reason.');
      throw error;
    }
  },
};

async function takeSnapshot(reads: Db, order: Order): Promise<void> {
  const { orgId, id, report, store, stopping } = order;
  stopping?.throwIfAborted();
  const at = await timeOf(reads);
  const filters = await readReportFilters(reads, { orgId, userId: report.createdBy }, report.filters, at);
  const head = await composeHead(reads, orgId, id, report, { filters, at });
  const text = JSON.stringify(head);
  const hash = new SnapshotHash();
  hash.add(text);
  await store(async (tx) => {
    await reads.query(lookUpInOrder);
    await storeFindings(tx, order, readFindings(reads, orgId, filters, { batch: findingsPerBatch, at }), hash);
    // If the report is deleted, roll back, so that no batches without a report remain.
    if (!(await completeReport(tx, orgId, id, { head, text, sha256: hash.digest() })))
      throw new Error('The report was deleted meanwhile.');
    if (report.mailFormat) await requestExport(tx, orgId, id, report.mailFormat);
  });
}

/** Stores the findings. Reads a batch while it compresses the previous one and stores the one before that. */
async function storeFindings(
  tx: Db,
  { orgId, id, stopping }: Order,
  batches: AsyncIterable<string[]>,
  hash: SnapshotHash,
): Promise<void> {
  let sequence = 0;
  let stored: Promise<void> = Promise.resolve();
  try {
    for await (const batch of batches) {
      stopping?.throwIfAborted();
      const text = batchText(batch);
      hash.add(text);
      const packed = compress(text);
      await stored;
      const place = sequence++;
      stored = packed.then((content) => insertBatch(tx, orgId, id, place, content));
      stored.catch(() => {});
    }
    await stored;
  } finally {
    // A write after the rollback would run outside the transaction.
    await stored.catch(() => {});
  }
}

/** Returns the time of the view: on a replica, the primary's time up to which it shows every change. */
async function timeOf(reads: Db): Promise<Date> {
  const { rows } = await reads.query<{ at: Date }>({
    text: 'SELECT COALESCE($1::timestamptz, now()) AS at',
    values: [reads.replayed ?? null],
  });
  return rows[0]!.at;
}

/**
 * Returns the period of "new" and "closed": whole days (UTC), except at the bounds of the filters and the time of the
 * report.
 */
function periodOf(filters: FindingFilters, previous: string | undefined, at: Date) {
  const since = (previous && readTime(previous)) || new Date(at.getTime() - defaultPeriodMs);
  const from = formatTime(filters.from ?? startOfDay(since));
  const to = formatTime(filters.to ?? at);
  return { from, to: to < from ? from : to };
}

/** Returns the head of the report that this one is compared with: the chosen one, or the last of its schedule. */
async function findEarlier(tx: Db, orgId: string, id: string, report: PendingReport): Promise<ReportHead | undefined> {
  const { scheduledReportId, compareTo } = report;
  if (compareTo !== null) return (await findHead(tx, orgId, compareTo))?.head;
  return scheduledReportId === null ? undefined : findPreviousHead(tx, orgId, scheduledReportId, id);
}

async function composeHead(
  tx: Db,
  orgId: string,
  id: string,
  report: PendingReport,
  { filters, at }: Pick<Scope, 'filters' | 'at'>,
): Promise<ComposedHead> {
  const input = normalizeFilters(report.filters);
  const earlier = await findEarlier(tx, orgId, id, report);
  const period = periodOf(filters, earlier?.taken_at, at);
  const today = await findToday(tx, orgId);
  const scope: Scope = { filters, at, today, period: { from: readTime(period.from)!, to: readTime(period.to)! } };
  const dataSources = await listDataSources(tx, orgId);
  const figures = await computeFigures(tx, orgId, scope, dataSources);
  const { organization, author, names } = await nameFilters(tx, orgId, input, {
    author: report.createdBy,
    types: Object.keys(figures.summary.by_source),
    dataSources,
  });
  const createdBy = report.createdBy ? { id: report.createdBy, name: author ?? '' } : null;
  const document = { ...defaultDocument, ...report.document };
  const describe = (language: ReportLanguage) => describeFilters(input, names, wordingIn(language));
  const composed = {
    id,
    title: report.title,
    organization: { id: orgId, name: organization },
    created_by: createdBy,
    scheduled_report_id: report.scheduledReportId,
    template: report.template,
    // A schedule has no person as its author.
    document: { ...document, author: document.author ?? (report.scheduledReportId ? null : (createdBy?.name ?? null)) },
    taken_at: formatTime(at),
    period,
    filters: input,
    selection: { en: describe('en'), de: describe('de') },
    source_names: names.sources,
    ...figures,
    analysis: await analyse(tx, orgId, scope, { ...figures, filters: input, dataSources }, earlier),
  };
  const named = JSON.stringify(composed).match(findingIds) ?? [];
  return { ...composed, finding_numbers: await findNumbers(tx, orgId, [...new Set(named)]) };
}
