import { requireDetector, startScan } from '../detection/scans/start-scan.ts';
import { findMember } from '../organization/queries.ts';
import { ApiError } from '../platform/errors.ts';
import type { Database, Db } from '../platform/postgres/database.ts';
import { createReport } from '../reports/create-report.ts';
import { defaultDocument } from '../reports/report-document.ts';
import { readReportFilters } from '../reports/report-filters.ts';
import { listDue, lockDue, type ScheduleKind, updateNextRun, updateRun } from './due-queries.ts';
import { nextRun } from './next-run.ts';
import { findSchedule } from './queries.ts';
import { findScheduledReport } from './scheduled-report-queries.ts';

const maxOfAKind = 100;

/**
 * Runs in the transaction that has claimed the row and returns the id of the created scan or report. It must throw
 * refusals before it writes.
 */
type Start = (tx: Db) => Promise<string>;

/**
 * Does slow work outside the transaction; returns undefined if the row no longer exists. An `ApiError` below 500 from
 * either step becomes the error of the row; its next due time is kept.
 */
type Prepare = (database: Database, orgId: string, id: string) => Promise<Start | undefined>;

const prepareScan: Prepare = async (database, orgId, id) => {
  const schedule = await database.transaction(orgId, (tx) => findSchedule(tx, orgId, id));
  if (!schedule) return undefined;
  const detector = await requireDetector(database, orgId, schedule.source);
  return async (tx) => {
    const { dataSourceIds } = (await findSchedule(tx, orgId, id))!;
    return startScan(tx, orgId, { detector, trigger: 'schedule', requestedBy: null, dataSourceIds });
  };
};

/** A report is created on behalf of the creator of the schedule and mailed to the current recipients. */
const prepareReport: Prepare = async (_database, orgId, id) => async (tx) => {
  const scheduled = (await findScheduledReport(tx, orgId, id))!;
  const { title, filters, format, template, recipients, createdById: createdBy } = scheduled;
  if (!(await findMember(tx, orgId, createdBy))) {
    throw new ApiError(
      'conflict',
      'The creator of this scheduled report has left the organization. Create it again under your own name.',
    );
  }
  await readReportFilters(tx, { orgId, userId: createdBy }, filters);
  const document = { ...defaultDocument, ...scheduled.document };
  const given = { title, filters, template, document, compareTo: null };
  return createReport(tx, orgId, { ...given, createdBy, scheduledReportId: id, mail: { format, recipients } });
};

const prepares: Record<ScheduleKind, Prepare> = { scan: prepareScan, report: prepareReport };

/** A refusal is stored in the row and shown; any other error is a fault that the next run may overcome. */
type Outcome<T> = { value: T } | { refusal: string };

async function refusalOf<T>(run: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await run() };
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { refusal: error.message };
    throw error;
  }
}

async function fire(tx: Db, orgId: string, kind: ScheduleKind, id: string, prepared: Outcome<Start>): Promise<void> {
  const due = await lockDue(tx, orgId, kind, id);
  if (!due) return;
  // Computed from now, not from the due time: several missed times are made up for once.
  await updateNextRun(tx, orgId, kind, id, { nextRunAt: nextRun(due, due.now), from: due.now });
  if (!due.isDue) return;
  const made = 'refusal' in prepared ? prepared : await refusalOf(() => prepared.value(tx));
  await updateRun(tx, orgId, kind, id, {
    madeId: 'value' in made ? made.value : null,
    error: 'refusal' in made ? made.refusal : null,
  });
}

/**
 * Starts the scans and creates the reports that are due. Each due time is processed once across all nodes: one node
 * claims it by locking the row. A fault in one row does not stop the others; all faults are thrown at the end.
 */
export async function fireDueSchedules(database: Database): Promise<void> {
  const due = await database.transaction(null, (tx) => listDue(tx, maxOfAKind));
  const faults: unknown[] = [];
  for (const { kind, orgId, id } of due) {
    try {
      const prepared = await refusalOf(() => prepares[kind](database, orgId, id));
      if ('value' in prepared && prepared.value === undefined) continue;
      await database.transaction(orgId, (tx) => fire(tx, orgId, kind, id, prepared as Outcome<Start>));
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} due schedules failed`);
}
