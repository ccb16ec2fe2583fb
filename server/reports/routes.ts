import Type, { type TSchema } from 'typebox';
import { defineRoute } from '../context.ts';
import { auditActor, recordAudit } from '../organization/audit.ts';
import { recordExport } from '../organization/record-export.ts';
import { isAtLeast, type Role } from '../organization/roles.ts';
import { ApiError, invalid, notFound } from '../platform/errors.ts';
import type { Actor } from '../platform/http/actor.ts';
import { pageOf } from '../platform/http/cursor.ts';
import { preferredWaitMs, waitAsPreferred } from '../platform/http/prefer.ts';
import { idOf, pageParameters } from '../platform/http/schema.ts';
import { isId } from '../platform/id.ts';
import { requireRoom } from '../platform/limits.ts';
import { autocommit, type Db } from '../platform/postgres/database.ts';
import { formatTime } from '../platform/times.ts';
import { createReport } from './create-report.ts';
import { readDocument } from './document-schema.ts';
import { exportParameters, readExportOptions } from './export-options.ts';
import { openExport } from './exports/exports.ts';
import { acceptsZstd, exportHeaders, sendExport } from './exports/send-export.ts';
import { findingExportRoute } from './finding-export-route.ts';
import { countRequestedReports } from './limit-queries.ts';
import { deleteReport, findReport, listReports, moveReport, type ReportRow } from './queries.ts';
import type { ReportState } from './report-document.ts';
import { readReportFilters } from './report-filters.ts';
import {
  pendingReportExample,
  Report,
  ReportCreation,
  ReportFormat,
  ReportPage,
  ReportUpdate,
  reportExample,
  reportView,
} from './report-schema.ts';
import { archiveContentType } from './writers/format.ts';
import { reportFormats } from './writers/index.ts';

const tag = 'Reports';
const read = { role: 'viewer', scope: 'reports:read' } as const;
const write = { role: 'analyst', scope: 'reports:write' } as const;
const params = { id: idOf('rpt') };

async function requireReport(db: Db, orgId: string, id: string): Promise<ReportRow> {
  const row = isId('rpt', id) ? await findReport(db, orgId, id) : undefined;
  if (!row) throw notFound('Report');
  return row;
}

/** Returns the id of a report to compare with. Throws a 400 unless it is ready. */
async function requireComparable(db: Db, orgId: string, id: string | null): Promise<string | null> {
  const row = id === null ? null : await findReport(db, orgId, id);
  if (row === undefined) throw invalid('body', 'compare_to', 'must be the id of a report of this organization');
  if (row && row.status !== 'ready')
    throw invalid('body', 'compare_to', `must be the id of a ready report; this one is ${row.status}`);
  return id;
}

const list = defineRoute({
  method: 'GET',
  path: '/reports',
  operationId: 'listReports',
  tag,
  summary: 'List reports',
  description: 'Returns a page of reports, newest first.',
  permission: read,
  query: pageParameters,
  responses: {
    200: {
      schema: ReportPage,
      description: 'A page of reports.',
      example: { data: [reportExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor: { orgId }, query, context }) => {
    const binding = { operation: 'listReports', orgId };
    const beforeId =
      query.next_cursor === undefined ? null : String(context.cursors.decode(binding, query.next_cursor)[0]);
    const rows = await listReports(autocommit(context.database, orgId), orgId, beforeId, query.limit + 1);
    const { data, next_cursor } = pageOf(rows, query.limit, context.cursors, binding, (row) => [row.id]);
    return { data: data.map(reportView), next_cursor };
  },
});

const create = defineRoute({
  method: 'POST',
  path: '/reports',
  operationId: 'createReport',
  tag,
  summary: 'Generate a report',
  description:
    'Creates a report on the findings that match the filters now. It is `pending` until its snapshot is taken and `ready` afterwards. A snapshot never changes, so all exports of a report agree. With `Prefer: wait=SECONDS` (at most 60), the response waits until the snapshot is taken.',
  permission: write,
  bodyLimit: 128 * 1024,
  body: ReportCreation,
  requestExample: { title: reportExample.title, filters: reportExample.filters },
  responses: {
    202: {
      schema: Report,
      description: 'The pending report.',
      example: pendingReportExample,
      headers: { Location: 'The URL of the report.' },
    },
  },
  errors: ['limit_reached'],
  waits: true,
  handler: async ({ actor, body, context, request, reply, transaction }) => {
    const { orgId, userId } = actor;
    const report = await transaction(async (tx) => {
      const filters = body.filters ?? {};
      await readReportFilters(tx, actor, filters);
      const limited = { kind: 'reports', max: context.limits.reports, what: 'reports' };
      await requireRoom(tx, orgId, limited, () => countRequestedReports(tx, orgId));
      const title = body.title ?? `Findings, ${formatTime(new Date()).slice(0, 10)}`;
      const template = body.template ?? 'audit';
      const document = readDocument(body.document);
      const compareTo = await requireComparable(tx, orgId, body.compare_to ?? null);
      const given = { title, filters, template, document, compareTo };
      const id = await createReport(tx, orgId, { ...given, createdBy: userId, scheduledReportId: null, mail: null });
      const target = { id, name: title };
      const after = { title, filters, template, document, compare_to: compareTo };
      await recordAudit(tx, orgId, { actor: auditActor(actor), action: 'report.created', target, after });
      reply.header('location', `/api/v1/reports/${id}`);
      return reportView((await findReport(tx, orgId, id))!);
    });
    const readReport = async () =>
      reportView(await requireReport(autocommit(context.database, orgId), orgId, report.id));
    return waitAsPreferred(request, reply, report, readReport, ({ status }) => status !== 'pending');
  },
});

const get = defineRoute({
  method: 'GET',
  path: '/reports/{id}',
  operationId: 'getReport',
  tag,
  summary: 'Get a report',
  description: 'Returns the status of a report and its figures.',
  extension: true,
  permission: read,
  params,
  responses: { 200: { schema: Report, description: 'The report.', example: reportExample } },
  errors: ['not_found'],
  handler: async ({ actor: { orgId }, params: { id }, context }) =>
    reportView(await requireReport(autocommit(context.database, orgId), orgId, id)),
});

/** The states from which a report can move to another; only an admin can move a final one back. */
const before: Record<ReportState, readonly ReportState[]> = {
  draft: ['reviewed', 'final'],
  reviewed: ['draft'],
  final: ['reviewed'],
};

const isAdmin = ({ role }: Pick<Actor, 'role'>): boolean => isAtLeast(role as Role, 'admin');
const finalReport = () => new ApiError('forbidden', 'This report is final. An admin can change or delete it.');

/** Returns the error for a report that can't move to a state. */
function explainState(row: ReportRow, state: ReportState): ApiError {
  if (row.status !== 'ready') return notReady(row);
  if (row.state === 'final') return finalReport();
  return new ApiError(
    'conflict',
    `This report is ${row.state}; it becomes ${state} from ${before[state].join(' or ')}.`,
  );
}

const update = defineRoute({
  method: 'PATCH',
  path: '/reports/{id}',
  operationId: 'updateReport',
  tag,
  summary: 'Review a report or make it final',
  description:
    'Changes the state of a ready report, which its documents show with the name of the person and the time. An analyst reviews a draft and makes a reviewed report final, or a draft again. Only an admin can change or delete a final report. The snapshot stays as it is.',
  extension: true,
  permission: write,
  params,
  body: ReportUpdate,
  requestExample: { state: 'reviewed' },
  responses: { 200: { schema: Report, description: 'The report.', example: reportExample } },
  errors: ['not_found', 'conflict', 'report_not_ready', 'forbidden'],
  handler: ({ actor, params: { id }, body: { state }, transaction }) =>
    transaction(async (tx) => {
      const { orgId, userId } = actor;
      const row = await requireReport(tx, orgId, id);
      if (row.status === 'ready' && row.state === state) return reportView(row);
      const from = before[state].filter((one) => one !== 'final' || isAdmin(actor));
      if (!(await moveReport(tx, orgId, id, { to: state, from, by: userId })))
        throw explainState(await requireReport(tx, orgId, id), state);
      await recordAudit(tx, orgId, {
        actor: auditActor(actor),
        action: 'report.state_changed',
        target: { id, name: row.title },
        before: { state: row.state },
        after: { state },
      });
      return reportView(await requireReport(tx, orgId, id));
    }),
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/reports/{id}',
  operationId: 'deleteReport',
  tag,
  summary: 'Delete a report',
  description:
    'Deletes the report with its snapshot and all its exports; a final one only for an admin. The findings are kept.',
  extension: true,
  permission: write,
  params,
  responses: { 204: { description: 'The report is deleted.' } },
  errors: ['not_found', 'forbidden'],
  handler: ({ actor, params: { id }, transaction }) =>
    transaction(async (tx) => {
      const deleted = isId('rpt', id) ? await deleteReport(tx, actor.orgId, id, isAdmin(actor)) : undefined;
      if (!deleted) {
        await requireReport(tx, actor.orgId, id);
        throw finalReport();
      }
      await recordAudit(tx, actor.orgId, {
        actor: auditActor(actor),
        action: 'report.deleted',
        target: { id, name: deleted.title },
      });
    }),
});

/** Returns the 409 for a report that can't be exported. */
function notReady({ status, error }: ReportRow): ApiError {
  if (status === 'failed') return new ApiError('report_not_ready', `This report failed: ${error} Generate a new one.`);
  const message = 'The snapshot of this report is still being taken. Try again in a few seconds.';
  return new ApiError('report_not_ready', message, { headers: { 'Retry-After': '2' } });
}

/** The schemas of a report's files by content type; two formats may share one. */
const exportContent: Record<string, TSchema> = Object.fromEntries(
  [...Map.groupBy(Object.values(reportFormats), ({ contentType }) => contentType)].map(([contentType, formats]) => {
    const schemas = [...new Set(formats.map(({ schema }) => schema as TSchema))];
    return [contentType, schemas.length === 1 ? schemas[0]! : Type.Union(schemas)];
  }),
);
exportContent[archiveContentType] = Type.String({ format: 'binary' });

const exportRoute = defineRoute({
  method: 'GET',
  path: '/reports/{id}/export',
  operationId: 'exportReport',
  tag,
  summary: 'Export a report',
  description:
    'Returns the report as a file. It is rendered on the first request and kept as long as the report. A request waits for its first bytes for 55 seconds, or as long as `Prefer: wait=SECONDS` says, and is then 409 `export_not_ready`. `pdf` and `docx` show the 2,000 most severe findings in detail; the other formats contain every finding and are streamed. `sarif-github` is SARIF that GitHub code scanning accepts, with the open findings that are in files: one file for a report on one data source, otherwise (or when it takes several files) a zip archive with files for each data source.',
  permission: read,
  params,
  query: { format: ReportFormat, ...exportParameters },
  responses: {
    200: {
      content: exportContent,
      description: 'The file.',
      headers: exportHeaders,
    },
  },
  errors: ['not_found', 'report_not_ready', 'export_not_ready', 'export_failed', 'unavailable'],
  waits: true,
  handler: async ({ actor, params: { id }, query, context, request, reply }) => {
    const { orgId } = actor;
    const report = await requireReport(autocommit(context.database, orgId), orgId, id);
    if (report.status !== 'ready') throw notReady(report);
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const format = query.format;
    const packed = acceptsZstd(request.headers['accept-encoding']);
    const options = readExportOptions(query, report);
    const waitMs = preferredWaitMs(request) ?? undefined;
    if (waitMs !== undefined) reply.header('preference-applied', 'wait');
    const wanted = { signal: gone.signal, packed, options, ...(waitMs !== undefined && { waitMs }) };
    const opened = await openExport(context.database, orgId, id, format, wanted);
    if (!opened) throw notFound('Report');
    await recordExport(context.database, request, actor, {
      action: 'report.exported',
      target: { id, name: report.title },
      details: { format, ...options, findings: report.summary?.total ?? null },
    });
    return sendExport(request, reply, opened, packed);
  },
});

export const reportRoutes = [list, create, get, update, remove, exportRoute, findingExportRoute];
