import { findMember } from '../organization/queries.ts';
import { ApiError } from '../platform/errors.ts';
import type { Database } from '../platform/postgres/database.ts';
import { createReport } from '../reports/create-report.ts';
import { readReportFilters } from '../reports/report-filters.ts';
import { fireDue } from './fire-due.ts';
import { findScheduledReport } from './scheduled-report-queries.ts';

/**
 * Has the reports made that are due, each due time's once over all nodes, in the name of who created the schedule. They
 * are mailed to those who are recipients now.
 */
export function fireDueScheduledReports(database: Database): Promise<void> {
  return fireDue(database, 'scheduled_reports', {
    prepare: async () => true,
    async start(tx, orgId, id) {
      const scheduled = (await findScheduledReport(tx, orgId, id))!;
      const { title, filters, format, recipients, createdById: createdBy } = scheduled;
      if (!(await findMember(tx, orgId, createdBy))) {
        throw new ApiError(
          'conflict',
          'Who created this scheduled report has left the organization, and it is read in their name: create it anew in yours.',
        );
      }
      await readReportFilters(tx, { orgId, userId: createdBy }, filters);
      const mail = { format, recipients };
      return createReport(tx, orgId, { title, filters, createdBy, scheduledReportId: id, mail });
    },
  });
}

export const scheduledReportTicks = [
  {
    name: 'Making the reports that are due',
    everyMs: 5_000,
    run: ({ database }: { database: Database }) => fireDueScheduledReports(database),
  },
];
