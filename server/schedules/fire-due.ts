import { findMember } from '../organization/queries.ts';
import { ApiError } from '../platform/errors.ts';
import type { Database, Db } from '../platform/postgres/database.ts';
import { createReport } from '../reports/create-report.ts';
import { defaultDocument } from '../reports/report-document.ts';
import { readReportFilters } from '../reports/report-filters.ts';
import { listDue, lockDue, type ScheduleKind, updateNextRun, updateRun } from './due-queries.ts';
import { nextRun } from './next-run.ts';
import { findSchedule } from './queries.ts';
import { type Outcome, refusalOf } from './refusal.ts';
import { findScheduledReport } from './scheduled-report-queries.ts';
import { prepareSources, startScheduledScans } from './start-scheduled-scans.ts';

const maxOfAKind = 100;

/**
 * Runs in the transaction that has claimed the row and returns the ids of the created scans or report. It must throw
 * refusals before it writes. Undefined if the row has changed since it was prepared: it is then due at the next tick.
 */
type Start = (tx: Db) => Promise<{ madeIds: string[]; error: string | null } | undefined>;

/**
 * Does slow work outside the transaction; returns undefined if the row no longer exists. An `ApiError` below 500 from
 * either step becomes the error of the row; its next due time is kept.
 */
type Prepare = (database: Database, orgId: string, id: string) => Promise<Start | undefined>;

const prepareScan: Prepare = async (database, orgId, id) => {
  const schedule = await database.transaction(orgId, (tx) => findSchedule(tx, orgId, id));
  if (!schedule) return undefined;
  const prepared = await prepareSources(database, orgId, schedule.sources);
  return async (tx) => {
    const current = (await findSchedule(tx, orgId, id))!;
    return current.version === schedule.version ? startScheduledScans(tx, orgId, current, prepared) : undefined;
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
  const report = { ...given, createdBy, scheduledReportId: id, mail: { format, recipients } };
  return { madeIds: [await createReport(tx, orgId, report)], error: null };
};

const prepares: Record<ScheduleKind, Prepare> = { scan: prepareScan, report: prepareReport };

async function runPrepared(tx: Db, prepared: Outcome<Start>): ReturnType<Start> {
  const made = 'refusal' in prepared ? prepared : await refusalOf(() => prepared.value(tx));
  return 'refusal' in made ? { madeIds: [], error: made.refusal } : made.value;
}

async function fire(tx: Db, orgId: string, kind: ScheduleKind, id: string, prepared: Outcome<Start>): Promise<void> {
  const due = await lockDue(tx, orgId, kind, id);
  if (!due) return;
  const run = due.isDue && (await runPrepared(tx, prepared));
  if (run === undefined) return;
  // Computed from now, not from the due time: several missed times are made up for once.
  await updateNextRun(tx, orgId, kind, id, { nextRunAt: nextRun(due, due.now), from: due.now });
  if (run) await updateRun(tx, orgId, kind, id, run);
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
