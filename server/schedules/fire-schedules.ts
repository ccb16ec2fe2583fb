import type { DataSourceDeleted } from '../data-sources/delete-data-source.ts';
import type { Detector } from '../detection/detector.ts';
import { requireDetector, startScan } from '../detection/start-scan.ts';
import type { Database, Db } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import { nextRun } from './next-run.ts';
import {
  findSchedule,
  listDueSchedules,
  lockDueSchedule,
  removeDataSourceFromSchedules,
  updateScheduleRun,
} from './queries.ts';

const mostAtOnce = 100;

/** A refusal is the schedule's to show; anything else is a fault that the next tick may get over. */
async function refusalOf<T>(run: () => Promise<T>): Promise<{ value: T } | { refusal: string }> {
  try {
    return { value: await run() };
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { refusal: error.message };
    throw error;
  }
}

async function fire(
  tx: Db,
  orgId: string,
  id: string,
  found: { value: Detector } | { refusal: string },
): Promise<void> {
  const schedule = await lockDueSchedule(tx, orgId, id);
  if (!schedule) return;
  // From now on, not from the due time: what was missed while nothing ran is made up for once.
  const nextRunAt = nextRun(schedule, schedule.now);
  const started =
    'refusal' in found
      ? found
      : await refusalOf(() =>
          startScan(tx, orgId, {
            detector: found.value,
            trigger: 'schedule',
            requestedBy: null,
            dataSourceIds: schedule.dataSourceIds,
          }),
        );
  const scanId = 'value' in started ? started.value : null;
  await updateScheduleRun(tx, orgId, id, { nextRunAt, scanId, error: 'refusal' in started ? started.refusal : null });
}

/** Starts the scans that are due. Run it on every node as often as you like: a due time is claimed by one, with its row. */
export async function fireDueSchedules(database: Database): Promise<void> {
  const due = await database.transaction(null, (tx) => listDueSchedules(tx, mostAtOnce));
  for (const { orgId, id } of due) {
    const schedule = await database.transaction(orgId, (tx) => findSchedule(tx, orgId, id));
    if (!schedule) continue;
    const detector = await refusalOf(() => requireDetector(database, orgId, schedule.source));
    await database.transaction(orgId, (tx) => fire(tx, orgId, id, detector));
  }
}

export const scheduleTicks = [
  {
    name: 'Starting the scans that are due',
    everyMs: 5_000,
    run: ({ database }: { database: Database }) => fireDueSchedules(database),
  },
];

export const schedulesOnDataSourceDeleted: DataSourceDeleted = removeDataSourceFromSchedules;
