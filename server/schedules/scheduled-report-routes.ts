import type { FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { defineRoute } from '../context.ts';
import { auditActor } from '../organization/audit.ts';
import { notFound } from '../platform/errors.ts';
import { pageOf } from '../platform/http/cursor.ts';
import { etagOf, requireMatch } from '../platform/http/etag.ts';
import { idOf, pageParameters } from '../platform/http/schema.ts';
import { isId } from '../platform/id.ts';
import { requireRoom } from '../platform/limits.ts';
import { autocommit } from '../platform/postgres/database.ts';
import { formatTime, formatTimeOrNull } from '../platform/times.ts';
import { listDeliveries } from '../reports/exports/delivery-queries.ts';
import { defaultDocument } from '../reports/report-document.ts';
import { changeScheduledReport, createScheduledReport, removeScheduledReport } from './change-scheduled-report.ts';
import { deliveryExample, deliveryView, ReportDeliveryPage } from './delivery-schema.ts';
import {
  countScheduledReports,
  findScheduledReport,
  listScheduledReports,
  lockScheduledReport,
  type ScheduledReportRow,
  type UndeliveredMails,
} from './scheduled-report-queries.ts';
import {
  ScheduledReport,
  ScheduledReportCreation,
  ScheduledReportPage,
  ScheduledReportUpdate,
  scheduledReportExample,
} from './scheduled-report-schema.ts';

/** Returns the latest failure in one or two sentences; null if there was none. */
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

const scheduledReportView = (row: ScheduledReportRow): Static<typeof ScheduledReport> => ({
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

const tag = 'Reports';
const read = { role: 'viewer', scope: 'reports:read' } as const;
const write = { role: 'admin', scope: 'reports:write' } as const;
const params = { id: idOf('srp') };
const etagHeader = {
  ETag: 'The version of the resource. Send it as `If-Match` to change the resource only if nobody else has changed it meanwhile.',
};

async function requireScheduledReport(
  find: (id: string) => Promise<ScheduledReportRow | undefined>,
  id: string,
): Promise<ScheduledReportRow> {
  const row = isId('srp', id) ? await find(id) : undefined;
  if (!row) throw notFound('Scheduled report');
  return row;
}

function viewWithEtag(reply: FastifyReply, row: ScheduledReportRow) {
  const view = scheduledReportView(row);
  reply.header('etag', etagOf(row.version));
  return view;
}

const list = defineRoute({
  method: 'GET',
  path: '/scheduled-reports',
  operationId: 'listScheduledReports',
  tag,
  summary: 'List scheduled reports',
  description: 'Returns a page of scheduled reports, newest first.',
  permission: read,
  query: pageParameters,
  responses: {
    200: {
      schema: ScheduledReportPage,
      description: 'A page of scheduled reports.',
      example: { data: [scheduledReportExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor: { orgId }, query, context }) => {
    const binding = { operation: 'listScheduledReports', orgId };
    const beforeId =
      query.next_cursor === undefined ? null : String(context.cursors.decode(binding, query.next_cursor)[0]);
    const rows = await listScheduledReports(autocommit(context.database, orgId), orgId, beforeId, query.limit + 1);
    const { data, next_cursor } = pageOf(rows, query.limit, context.cursors, binding, (row) => [row.id]);
    return { data: data.map(scheduledReportView), next_cursor };
  },
});

const create = defineRoute({
  method: 'POST',
  path: '/scheduled-reports',
  operationId: 'createScheduledReport',
  tag,
  summary: 'Create a scheduled report',
  description:
    'Creates a report whenever `cron` is due and mails it to each recipient: as an attachment up to 10 MiB, otherwise as a link. A report without findings is mailed too. Each due time creates one report, however many workers there are. Times missed while no worker ran are made up for once. A failed mail is retried for about 16 hours; `last_error` describes the failure.',
  permission: write,
  bodyLimit: 128 * 1024,
  body: ScheduledReportCreation,
  requestExample: {
    title: scheduledReportExample.title,
    filters: scheduledReportExample.filters,
    cron: scheduledReportExample.cron,
    timezone: scheduledReportExample.timezone,
    recipients: scheduledReportExample.recipients,
  },
  responses: {
    201: {
      schema: ScheduledReport,
      description: 'The new scheduled report.',
      example: scheduledReportExample,
      headers: { Location: 'The URL of the scheduled report.', ...etagHeader },
    },
  },
  errors: ['limit_reached'],
  handler: ({ actor, body, context, reply, transaction }) =>
    transaction(async (tx) => {
      const by = { ...auditActor(actor), userId: actor.userId };
      const limited = { kind: 'scheduled reports', max: context.limits.schedules, what: 'scheduled reports' };
      await requireRoom(tx, actor.orgId, limited, () => countScheduledReports(tx, actor.orgId));
      const id = await createScheduledReport(tx, actor.orgId, body, by);
      reply.header('location', `/api/v1/scheduled-reports/${id}`);
      return viewWithEtag(reply, (await findScheduledReport(tx, actor.orgId, id))!);
    }),
});

const get = defineRoute({
  method: 'GET',
  path: '/scheduled-reports/{id}',
  operationId: 'getScheduledReport',
  tag,
  summary: 'Get a scheduled report',
  description: 'Returns a scheduled report.',
  extension: true,
  permission: read,
  params,
  responses: {
    200: {
      schema: ScheduledReport,
      description: 'The scheduled report.',
      example: scheduledReportExample,
      headers: etagHeader,
    },
  },
  errors: ['not_found'],
  handler: async ({ actor: { orgId }, params: { id }, context, reply }) => {
    const db = autocommit(context.database, orgId);
    return viewWithEtag(
      reply,
      await requireScheduledReport((reportId) => findScheduledReport(db, orgId, reportId), id),
    );
  },
});

const update = defineRoute({
  method: 'PATCH',
  path: '/scheduled-reports/{id}',
  operationId: 'updateScheduledReport',
  tag,
  summary: 'Update a scheduled report',
  description:
    'Updates the fields in the body. When `cron` or `timezone` changes, the next due time is computed from now. Changed recipients apply from the next due time on. Mails of existing reports are still sent, even when the scheduled report is disabled.',
  extension: true,
  permission: write,
  params,
  bodyLimit: 128 * 1024,
  body: ScheduledReportUpdate,
  requestExample: { recipients: scheduledReportExample.recipients },
  responses: {
    200: {
      schema: ScheduledReport,
      description: 'The updated scheduled report.',
      example: scheduledReportExample,
      headers: etagHeader,
    },
  },
  errors: ['not_found', 'precondition_failed'],
  handler: ({ actor, params: { id }, body, request, reply, transaction }) =>
    transaction(async (tx) => {
      const { orgId } = actor;
      const before = await requireScheduledReport((reportId) => lockScheduledReport(tx, orgId, reportId), id);
      requireMatch(request, before.version);
      await changeScheduledReport(tx, orgId, before, body, auditActor(actor));
      return viewWithEtag(reply, (await findScheduledReport(tx, orgId, id))!);
    }),
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/scheduled-reports/{id}',
  operationId: 'deleteScheduledReport',
  tag,
  summary: 'Delete a scheduled report',
  description:
    'Deletes a scheduled report. The reports that it created are kept; mails that are not sent yet are cancelled.',
  extension: true,
  permission: write,
  params,
  responses: { 204: { description: 'The scheduled report is deleted.' } },
  errors: ['not_found', 'precondition_failed'],
  handler: ({ actor, params: { id }, request, transaction }) =>
    transaction(async (tx) => {
      const row = await requireScheduledReport((reportId) => lockScheduledReport(tx, actor.orgId, reportId), id);
      requireMatch(request, row.version);
      await removeScheduledReport(tx, actor.orgId, row, auditActor(actor));
    }),
});

const deliveries = defineRoute({
  method: 'GET',
  path: '/scheduled-reports/{id}/deliveries',
  operationId: 'listReportDeliveries',
  tag,
  summary: 'List the mails of a scheduled report',
  description:
    'Returns the mails of the reports that the scheduled report created: those of the newest report first, each with its recipient, whether it was sent, and why not. The mails of a deleted report are deleted, too.',
  extension: true,
  permission: read,
  params,
  query: pageParameters,
  responses: {
    200: {
      schema: ReportDeliveryPage,
      description: 'A page of mails.',
      example: { data: [deliveryExample], next_cursor: null },
    },
  },
  errors: ['not_found', 'invalid_cursor'],
  handler: async ({ actor: { orgId }, params: { id }, query: { limit, next_cursor: cursor }, context }) => {
    const binding = { operation: 'listReportDeliveries', orgId, filters: { id } };
    const position = cursor === undefined ? null : context.cursors.decode(binding, cursor).map(String);
    const after = position && { reportId: position[0]!, recipient: position[1]! };
    const db = autocommit(context.database, orgId);
    await requireScheduledReport((reportId) => findScheduledReport(db, orgId, reportId), id);
    const rows = await listDeliveries(db, orgId, id, { after, limit: limit + 1 });
    const page = pageOf(rows, limit, context.cursors, binding, (row) => [row.reportId, row.recipient]);
    return { data: page.data.map(deliveryView), next_cursor: page.next_cursor };
  },
});

export const scheduledReportRoutes = [list, create, get, update, remove, deliveries];
