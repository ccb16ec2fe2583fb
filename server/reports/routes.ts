import { Readable } from 'node:stream';
import Type, { type TSchema } from 'typebox';
import { defineRoute } from '../context.ts';
import { ApiError, notFound } from '../platform/errors.ts';
import { pageOf } from '../platform/http/cursor.ts';
import { waitAsPreferred } from '../platform/http/prefer.ts';
import { idOf, pageParameters } from '../platform/http/schema.ts';
import { isId } from '../platform/id.ts';
import type { Db } from '../platform/postgres/database.ts';
import { formatTime } from '../platform/times.ts';
import { createReport } from './create-report.ts';
import { openExport } from './exports/exports.ts';
import { reportFormats } from './formats/index.ts';
import { deleteReport, findReport, listReports, type ReportRow } from './queries.ts';
import { readReportFilters } from './report-filters.ts';
import {
  pendingReportExample,
  Report,
  ReportCreation,
  ReportFormat,
  ReportPage,
  reportExample,
  reportView,
} from './report-schema.ts';

const tag = 'Reports';
const read = { role: 'viewer', scope: 'reports:read' } as const;
const write = { role: 'analyst', scope: 'reports:write' } as const;
const params = { id: idOf('rpt') };

async function requireReport(db: Db, orgId: string, id: string): Promise<ReportRow> {
  const row = isId('rpt', id) ? await findReport(db, orgId, id) : undefined;
  if (!row) throw notFound('Report');
  return row;
}

const list = defineRoute({
  method: 'GET',
  path: '/reports',
  operationId: 'listReports',
  tag,
  summary: 'List reports',
  description: 'Newest first.',
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
    const rows = await context.database.transaction(orgId, (tx) => listReports(tx, orgId, beforeId, query.limit + 1));
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
    'Makes a report of what the filters select now. It is `pending` until its snapshot is taken, and `ready` from then on: what it shows never changes, in whatever format it is exported. With `Prefer: wait=SECONDS` (60 at most) the response waits for that.',
  permission: write,
  body: ReportCreation,
  requestExample: { title: reportExample.title, filters: reportExample.filters },
  responses: {
    202: {
      schema: Report,
      description: 'The report to come.',
      example: pendingReportExample,
      headers: { Location: 'Its address.' },
    },
  },
  errors: [],
  waits: true,
  handler: async ({ actor, body, context, request, reply, transaction }) => {
    const { orgId, userId } = actor;
    const report = await transaction(async (tx) => {
      const filters = body.filters ?? {};
      await readReportFilters(tx, actor, filters);
      const title = body.title ?? `Findings, ${formatTime(new Date()).slice(0, 10)}`;
      const wanted = { title, filters, createdBy: userId, scheduledReportId: null, mail: null };
      const id = await createReport(tx, orgId, wanted);
      reply.header('location', `/api/v1/reports/${id}`);
      return reportView((await findReport(tx, orgId, id))!);
    });
    const readReport = () =>
      context.database.transaction(orgId, async (tx) => reportView(await requireReport(tx, orgId, report.id)));
    return waitAsPreferred(request, reply, report, readReport, ({ status }) => status !== 'pending');
  },
});

const get = defineRoute({
  method: 'GET',
  path: '/reports/{id}',
  operationId: 'getReport',
  tag,
  summary: 'Get a report',
  description: 'Whether it is ready, and its figures.',
  extension: true,
  permission: read,
  params,
  responses: { 200: { schema: Report, description: 'The report.', example: reportExample } },
  errors: ['not_found'],
  handler: ({ actor: { orgId }, params: { id }, context }) =>
    context.database.transaction(orgId, async (tx) => reportView(await requireReport(tx, orgId, id))),
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/reports/{id}',
  operationId: 'deleteReport',
  tag,
  summary: 'Delete a report',
  description: 'Its snapshot and all that was exported of it go with it; the findings stay.',
  extension: true,
  permission: write,
  params,
  responses: { 204: { description: 'It is gone.' } },
  errors: ['not_found'],
  handler: ({ actor: { orgId }, params: { id }, transaction }) =>
    transaction(async (tx) => {
      if (!isId('rpt', id) || !(await deleteReport(tx, orgId, id))) throw notFound('Report');
    }),
});

/** The 409 of a report that can't be exported. */
function notReady({ status, error }: ReportRow): ApiError {
  if (status === 'failed') return new ApiError('report_not_ready', `This report failed: ${error} Generate a new one.`);
  const message = 'The snapshot of this report is still being taken. Ask again in a few seconds.';
  return new ApiError('report_not_ready', message, { headers: { 'Retry-After': '2' } });
}

/** Whether a client takes files as they are stored: then nothing is unpacked for it, nor packed again. */
const takesZstd = (accepted: string | undefined): boolean =>
  /(^|,)\s*zstd\s*(;\s*q=(0\.\d*[1-9]|1)\S*\s*)?(,|$)/i.test(accepted ?? '');

/** The schemas of a report's files by content type; two formats may share one. */
const exportContent = Object.fromEntries(
  [...Map.groupBy(Object.values(reportFormats), ({ contentType }) => contentType)].map(
    ([contentType, [format, ...others]]): [string, TSchema] => [
      contentType,
      others.length === 0 ? format!.schema : Type.Union([format!, ...others].map(({ schema }) => schema)),
    ],
  ),
);

const exportRoute = defineRoute({
  method: 'GET',
  path: '/reports/{id}/export',
  operationId: 'exportReport',
  tag,
  summary: 'Export a report',
  description:
    'The report as a file. It is rendered when it is first asked for, and kept as long as the report. `pdf` and `docx` tell of the 2,000 gravest findings in detail; the others hold every finding, and stream.',
  permission: read,
  params,
  query: { format: ReportFormat },
  responses: {
    200: {
      content: exportContent,
      description: 'The file.',
      headers: { 'Content-Disposition': '`attachment` with the name of the file.' },
    },
  },
  errors: ['not_found', 'report_not_ready', 'unavailable'],
  handler: async ({ actor: { orgId }, params: { id }, query, context, request, reply }) => {
    const report = await context.database.transaction(orgId, (tx) => requireReport(tx, orgId, id));
    if (report.status !== 'ready') throw notReady(report);
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const format = query.format;
    const packed = takesZstd(request.headers['accept-encoding']);
    const opened = await openExport(context.database, orgId, id, format, { signal: gone.signal, packed });
    if (!opened) throw notFound('Report');
    reply.header('content-type', opened.contentType);
    reply.header('content-disposition', `attachment; filename="${opened.filename}"`);
    reply.header('vary', 'Accept-Encoding');
    if (packed) reply.header('content-encoding', 'zstd');
    else if (opened.size !== null) reply.header('content-length', opened.size);
    return Readable.from(opened.content, { objectMode: false });
  },
});

export const reportRoutes = [list, create, get, remove, exportRoute];
