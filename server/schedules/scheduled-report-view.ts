import type { Static } from 'typebox';
import { formatTime, formatTimeOrNull } from '../platform/times.ts';
import { defaultDocument } from '../reports/report-document.ts';
import type { ScheduledReportRow, UndeliveredMails } from './scheduled-report-queries.ts';
import type { ScheduledReport } from './scheduled-report-schema.ts';

/** Returns the latest failure in one or two sentences; null when there was none. */
function lastErrorOf(row: Pick<ScheduledReportRow, 'lastError' | 'reportError' | 'undelivered'>): string | null {
  if (row.lastError !== null) return row.lastError;
  if (row.reportError !== null) return `The report failed and was not mailed: ${row.reportError}`;
  return undeliveredMessage(row.undelivered);
}

function undeliveredMessage({ count, mails }: UndeliveredMails): string | null {
  if (count === 0) return null;
  const parts = mails.map(({ recipient, status, attempts, error }) => {
    const times = attempts === 1 ? 'once' : `${attempts} times`;
    return `mail to ${recipient}: ${error} (tried ${times}, ${status === 'pending' ? 'will be retried' : 'no attempts left'})`;
  });
  const others = count - mails.length;
  return `${parts.join('; ')}${others > 0 ? `; and ${others} other${others === 1 ? '' : 's'}` : ''}`;
}

export const scheduledReportView = (row: ScheduledReportRow): Static<typeof ScheduledReport> => ({
  id: row.id,
  title: row.title,
  filters: row.filters,
  format: row.format,
  template: row.template,
  document: { ...defaultDocument, ...row.document },
  recipients: row.recipients,
  cron: row.cron,
  timezone: row.timezone,
  enabled: row.enabled,
  next_run_at: formatTimeOrNull(row.nextRunAt),
  last_run_at: formatTimeOrNull(row.lastRunAt),
  last_report_id: row.lastReportId,
  last_error: lastErrorOf(row),
  created_by: row.createdBy,
  created_at: formatTime(row.createdAt),
  updated_at: formatTime(row.updatedAt),
});
