import type { Static } from 'typebox';
import { type AuditActor, recordAudit } from '../organization/audit.ts';
import { invalid } from '../platform/errors.ts';
import { newId } from '../platform/id.ts';
import { isMailAddress } from '../platform/mail/mail.ts';
import type { Db } from '../platform/postgres/database.ts';
import { readDocument } from '../reports/document-schema.ts';
import { defaultDocument } from '../reports/report-document.ts';
import { readReportFilters } from '../reports/report-filters.ts';
import type { ReportFormatName } from '../reports/writers/index.ts';
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

// RFC 5321: the envelope of a mail does not allow longer addresses.
const maxAddressLength = 254;

/** Returns the addresses in normal form, without duplicates. Throws a 400 that names the first invalid address. */
function readRecipients(addresses: string[]): string[] {
  const read = addresses.map((address, index) => {
    const normal = address.trim().toLowerCase();
    if (normal.length <= maxAddressLength && isMailAddress(normal)) return normal;
    throw invalid('body', `recipients[${index}]`, 'must be a mail address such as name@example.com');
  });
  return [...new Set(read)];
}

/** Applies `input` to `before`. Throws a 400 that names the invalid field. */
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
    template: input.template ?? before?.template ?? 'executive',
    document: input.document ? readDocument(input.document) : { ...defaultDocument, ...before?.document },
    recipients: input.recipients ? readRecipients(input.recipients) : (before?.recipients ?? []),
    ...mergeTimetable(before, input, await findTime(tx)),
  };
}

const auditState = ({
  title,
  filters,
  format,
  template,
  document,
  recipients,
  cron,
  timezone,
  enabled,
}: ScheduledReportFields) => ({
  title,
  filters,
  format,
  template,
  document,
  recipients,
  cron,
  timezone,
  enabled,
});

/** Creates a scheduled report on behalf of `by` and returns its id. Throws a 400 that names the invalid field. */
export async function createScheduledReport(tx: Db, orgId: string, input: Input, by: Changer): Promise<string> {
  const fields = await merge(tx, orgId, null, input, by.userId);
  const id = newId('srp');
  await insertScheduledReport(tx, orgId, id, fields, by.userId);
  const target = { id, name: fields.title };
  await recordAudit(tx, orgId, { actor: by, action: 'scheduled_report.created', target, after: auditState(fields) });
  return id;
}

/** Changes a scheduled report whose row is locked. Throws a 400 that names the invalid field. */
export async function changeScheduledReport(
  tx: Db,
  orgId: string,
  before: ScheduledReportRow,
  input: Input,
  by: AuditActor,
): Promise<void> {
  const fields = await merge(tx, orgId, before, input, before.createdById);
  await updateScheduledReport(tx, orgId, before.id, fields);
  await recordAudit(tx, orgId, {
    actor: by,
    action: 'scheduled_report.updated',
    target: { id: before.id, name: fields.title },
    before: auditState(before),
    after: auditState(fields),
  });
}

/** Deletes a scheduled report. Its reports are kept; their unsent mails are no longer sent. */
export async function removeScheduledReport(
  tx: Db,
  orgId: string,
  row: ScheduledReportRow,
  by: AuditActor,
): Promise<void> {
  await deleteScheduledReport(tx, orgId, row.id);
  const target = { id: row.id, name: row.title };
  await recordAudit(tx, orgId, { actor: by, action: 'scheduled_report.deleted', target, before: auditState(row) });
}
