import type { FastifyReply } from 'fastify';
import { defineRoute } from '../context.ts';
import { auditActor } from '../organization/audit.ts';
import { notFound } from '../platform/errors.ts';
import { pageOf } from '../platform/http/cursor.ts';
import { etagOf, requireMatch } from '../platform/http/etag.ts';
import { idOf, pageParameters } from '../platform/http/schema.ts';
import { isId } from '../platform/id.ts';
import { requireRoom } from '../platform/limits.ts';
import { autocommit } from '../platform/postgres/database.ts';
import { changeSchedule, createSchedule, removeSchedule } from './change-schedule.ts';
import { findTime } from './due-queries.ts';
import { previewTimetable } from './preview-route.ts';
import { countSchedules, findSchedule, listSchedules, lockSchedule, type ScheduleRow } from './queries.ts';
import { checkSchedule, mergeSchedule } from './schedule-input.ts';
import {
  ScanSchedule,
  ScanScheduleCreation,
  ScanSchedulePage,
  ScanScheduleUpdate,
  scheduleExample,
  scheduleView,
} from './schedule-schema.ts';

const tag = 'Scan schedules';
const read = { role: 'viewer', scope: 'scans:read' } as const;
const write = { role: 'admin', scope: 'scans:write' } as const;
const params = { id: idOf('sch') };
const etagHeader = {
  ETag: 'The version of the resource. Send it as `If-Match` to change the resource only if nobody else has changed it meanwhile.',
};

async function requireSchedule(
  find: (id: string) => Promise<ScheduleRow | undefined>,
  id: string,
): Promise<ScheduleRow> {
  const row = isId('sch', id) ? await find(id) : undefined;
  if (!row) throw notFound('Scan schedule');
  return row;
}

function viewWithEtag(reply: FastifyReply, row: ScheduleRow) {
  const view = scheduleView(row);
  reply.header('etag', etagOf(row.version));
  return view;
}

const list = defineRoute({
  method: 'GET',
  path: '/scan-schedules',
  operationId: 'listScanSchedules',
  tag,
  summary: 'List schedules',
  description: 'Returns a page of scan schedules, newest first.',
  permission: read,
  query: pageParameters,
  responses: {
    200: {
      schema: ScanSchedulePage,
      description: 'A page of schedules.',
      example: { data: [scheduleExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor: { orgId }, query, context }) => {
    const binding = { operation: 'listScanSchedules', orgId };
    const beforeId =
      query.next_cursor === undefined ? null : String(context.cursors.decode(binding, query.next_cursor)[0]);
    const rows = await listSchedules(autocommit(context.database, orgId), orgId, beforeId, query.limit + 1);
    const { data, next_cursor } = pageOf(rows, query.limit, context.cursors, binding, (row) => [row.id]);
    return { data: data.map(scheduleView), next_cursor };
  },
});

const create = defineRoute({
  method: 'POST',
  path: '/scan-schedules',
  operationId: 'createScanSchedule',
  tag,
  summary: 'Create a schedule',
  description:
    'Scans whenever `cron` is due. Each due time starts one scan for each of the `sources`, however many workers there are, of the data sources that exist and have the tags at that time. Times missed while no worker ran are made up for once.',
  permission: write,
  body: ScanScheduleCreation,
  requestExample: { name: scheduleExample.name, source: 'secrets', cron: '0 2 * * *', timezone: 'Europe/Berlin' },
  responses: {
    201: {
      schema: ScanSchedule,
      description: 'The new schedule.',
      example: scheduleExample,
      headers: { Location: 'The URL of the schedule.', ...etagHeader },
    },
  },
  errors: ['limit_reached'],
  handler: ({ actor, body, context, reply, transaction }) =>
    transaction(async (tx) => {
      const { orgId } = actor;
      const fields = mergeSchedule(null, body, await findTime(tx));
      await checkSchedule(tx, orgId, fields);
      const limited = { kind: 'scan schedules', max: context.limits.schedules, what: 'scan schedules' };
      await requireRoom(tx, orgId, limited, () => countSchedules(tx, orgId));
      const id = await createSchedule(tx, orgId, fields, auditActor(actor));
      const row = (await findSchedule(tx, orgId, id))!;
      reply.header('location', `/api/v1/scan-schedules/${id}`);
      return viewWithEtag(reply, row);
    }),
});

const get = defineRoute({
  method: 'GET',
  path: '/scan-schedules/{id}',
  operationId: 'getScanSchedule',
  tag,
  summary: 'Get a schedule',
  description: 'Returns a scan schedule.',
  extension: true,
  permission: read,
  params,
  responses: {
    200: { schema: ScanSchedule, description: 'The schedule.', example: scheduleExample, headers: etagHeader },
  },
  errors: ['not_found'],
  handler: async ({ actor: { orgId }, params: { id }, context, reply }) => {
    const db = autocommit(context.database, orgId);
    return viewWithEtag(reply, await requireSchedule((scheduleId) => findSchedule(db, orgId, scheduleId), id));
  },
});

const update = defineRoute({
  method: 'PATCH',
  path: '/scan-schedules/{id}',
  operationId: 'updateScanSchedule',
  tag,
  summary: 'Update a schedule',
  description:
    'Updates the fields in the body. When `cron` or `timezone` changes, the next due time is computed from now.',
  permission: write,
  params,
  body: ScanScheduleUpdate,
  requestExample: { cron: scheduleExample.cron },
  responses: {
    200: {
      schema: ScanSchedule,
      description: 'The updated schedule.',
      example: scheduleExample,
      headers: etagHeader,
    },
  },
  errors: ['not_found', 'precondition_failed'],
  handler: ({ actor, params: { id }, body, request, reply, transaction }) =>
    transaction(async (tx) => {
      const { orgId } = actor;
      const before = await requireSchedule((scheduleId) => lockSchedule(tx, orgId, scheduleId), id);
      requireMatch(request, before.version);
      const fields = mergeSchedule(before, body, await findTime(tx));
      await checkSchedule(tx, orgId, fields);
      await changeSchedule(tx, orgId, before, fields, auditActor(actor));
      const row = (await findSchedule(tx, orgId, id))!;
      return viewWithEtag(reply, row);
    }),
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/scan-schedules/{id}',
  operationId: 'deleteScanSchedule',
  tag,
  summary: 'Delete a schedule',
  description: 'Deletes a scan schedule. The scans that it started are kept.',
  permission: write,
  params,
  responses: { 204: { description: 'The schedule is deleted.' } },
  errors: ['not_found', 'precondition_failed'],
  handler: ({ actor, params: { id }, request, transaction }) =>
    transaction(async (tx) => {
      const { orgId } = actor;
      const row = await requireSchedule((scheduleId) => lockSchedule(tx, orgId, scheduleId), id);
      requireMatch(request, row.version);
      await removeSchedule(tx, orgId, row, auditActor(actor));
    }),
});

export const scheduleRoutes = [list, create, previewTimetable, get, update, remove];
