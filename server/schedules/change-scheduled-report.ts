import type { Static } from 'typebox';
import { type AuditActor, recordAudit } from '../organization/audit.ts';
import { invalid } from '../platform/errors.ts';
import { newId } from '../platform/id.ts';
import { isMailAddress } from '../platform/mail/mail.ts';
import type { Db } from '../platform/postgres/database.ts';
import type { ReportFormatName } from '../reports/formats/index.ts';
import { readReportFilters } from '../reports/report-filters.ts';
import { findTime } from './due-queries.ts';
import { mergeTimetable } from './merge-timetable.ts';
import {
  deleteScheduledReport,
  insertScheduledReport,
  type ScheduledReportFields,
  type ScheduledReportRow,
  updateScheduledReport,
} from './scheduled-report-queries.ts';
import type { ScheduledReportUpdate } from './scheduled-report-schema.ts';

type Input = Static<typeof ScheduledReportUpdate>;
type Changer = AuditActor & { userId: string };

// RFC 5321: a longer one can't stand in a mail's envelope.
const longestAddress = 254;

/** Addresses in the form in which they are compared, each once. Throws 400 naming the first that is none. */
function readRecipients(addresses: string[]): string[] {
  const read = addresses.map((address, index) => {
    const normal = address.trim().toLowerCase();
    if (normal.length <= longestAddress && isMailAddress(normal)) return normal;
    throw invalid('body', `recipients[${index}]`, 'must be a mail address such as name@example.com');
  });
  return [...new Set(read)];
}

/** The scheduled report that `input` makes of `before`. Throws 400 naming the field that makes no sense. */
async function merge(
  tx: Db,
  orgId: string,
  before: ScheduledReportRow | null,
  input: Input,
  userId: string,
): Promise<ScheduledReportFields> {
  const filters = input.filters ?? before?.filters ?? {};
  await readReportFilters(tx, { orgId, userId }, filters);
  return {
    title: input.title ?? before?.title ?? 'Scheduled findings report',
    filters,
    format: (input.format as ReportFormatName | undefined) ?? before?.format ?? 'pdf',
    recipients: input.recipients ? readRecipients(input.recipients) : (before?.recipients ?? []),
    ...mergeTimetable(before, input, await findTime(tx)),
  };
}

const auditDetails = ({ title, format, recipients, cron, timezone, enabled }: ScheduledReportFields) => ({
  ...{ title, format, recipients },
  ...{ cron, timezone, enabled },
});

/** Makes a scheduled report in the name of `by`; answers its id. Throws 400 naming the field that makes no sense. */
export async function createScheduledReport(tx: Db, orgId: string, input: Input, by: Changer): Promise<string> {
  const fields = await merge(tx, orgId, null, input, by.userId);
  const id = newId('srp');
  await insertScheduledReport(tx, orgId, id, fields, by.userId);
  const details = auditDetails(fields);
  await recordAudit(tx, orgId, { actor: by, action: 'scheduled_report.created', subjectId: id, details });
  return id;
}

/** Changes one whose row is locked. Throws 400 naming the field that makes no sense. */
export async function changeScheduledReport(
  tx: Db,
  orgId: string,
  before: ScheduledReportRow,
  input: Input,
  by: AuditActor,
): Promise<void> {
  const fields = await merge(tx, orgId, before, input, before.createdById);
  await updateScheduledReport(tx, orgId, before.id, fields);
  const details = auditDetails(fields);
  await recordAudit(tx, orgId, { actor: by, action: 'scheduled_report.updated', subjectId: before.id, details });
}

/** Removes one. Its reports stay; their mails that have not left are not sent any more. */
export async function removeScheduledReport(tx: Db, orgId: string, id: string, by: AuditActor): Promise<void> {
  await deleteScheduledReport(tx, orgId, id);
  await recordAudit(tx, orgId, { actor: by, action: 'scheduled_report.deleted', subjectId: id });
}
