import type { DataSourceDeleted } from '../data-sources/delete-data-source.ts';
import { requireDetector, startScan } from '../detection/scans/start-scan.ts';
import type { Database } from '../platform/postgres/database.ts';
import { fireDue } from './fire-due.ts';
import { findSchedule, removeDataSourceFromSchedules } from './queries.ts';

/** Starts the due scans, one for each due time over all nodes. */
export function fireDueSchedules(database: Database): Promise<void> {
  return fireDue(database, 'scan_schedules', {
    async prepare(orgId, id) {
      const schedule = await database.transaction(orgId, (tx) => findSchedule(tx, orgId, id));
      return schedule && requireDetector(database, orgId, schedule.source);
    },
    async start(tx, orgId, id, detector) {
      const { dataSourceIds } = (await findSchedule(tx, orgId, id))!;
      return startScan(tx, orgId, { detector, trigger: 'schedule', requestedBy: null, dataSourceIds });
    },
  });
}

export const scanScheduleTicks = [
  {
    name: 'Starting the scans that are due',
    everyMs: 5_000,
    run: ({ database }: { database: Database }) => fireDueSchedules(database),
  },
];

export const schedulesOnDataSourceDeleted: DataSourceDeleted = removeDataSourceFromSchedules;
