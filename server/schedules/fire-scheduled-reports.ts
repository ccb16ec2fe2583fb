import { findMember } from '../organization/queries.ts';
import { ApiError } from '../platform/errors.ts';
import type { Database } from '../platform/postgres/database.ts';
import { createReport } from '../reports/create-report.ts';
import { defaultDocument } from '../reports/report-document.ts';
import { readReportFilters } from '../reports/report-filters.ts';
import { fireDue } from './fire-due.ts';
import { findScheduledReport } from './scheduled-report-queries.ts';

/**
 * Creates the due reports, one for each due time over all nodes, on behalf of the creator of the schedule. They are
 * mailed to the current recipients.
 */
export function fireDueScheduledReports(database: Database): Promise<void> {
  return fireDue(database, 'scheduled_reports', {
    prepare: async () => true,
    async start(tx, orgId, id) {
      const scheduled = (await findScheduledReport(tx, orgId, id))!;
      const { title, filters, format, template, recipients, createdById: createdBy } = scheduled;
      if (!(await findMember(tx, orgId, createdBy))) {
        throw new ApiError(
          'conflict',
          'The creator of this scheduled report has left the organization. Create it again under your own name.',
        );
      }
      await readReportFilters(tx, { orgId, userId: createdBy }, filters);
      const mail = { format, recipients };
      const document = { ...defaultDocument, ...scheduled.document };
      const given = { title, filters, template, document, compareTo: null };
      return createReport(tx, orgId, { ...given, createdBy, scheduledReportId: id, mail });
    },
  });
}

export const scheduledReportTicks = [
  {
    name: 'Creating the due reports',
    everyMs: 5_000,
    run: ({ database }: { database: Database }) => fireDueScheduledReports(database),
  },
];
