import Type from 'typebox';
import { defineRoute } from '../../context.ts';
import { auditActor, recordAudit } from '../../organization/audit.ts';
import { ApiError, invalid, notFound } from '../../platform/errors.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { idOf, listOf, pageParameters, timeInput } from '../../platform/http/schema.ts';
import { isId } from '../../platform/id.ts';
import { autocommit, type Db } from '../../platform/postgres/database.ts';
import { readTime } from '../../platform/times.ts';
import { listScans, type ScanFilter } from './list-scans.ts';
import { listTargets } from './list-targets.ts';
import { cancelScan, findScan, type ScanRow } from './queries.ts';
import { endedScanExample, Scan, ScanPage, ScanStatus, scanExample, scanView } from './scan-schema.ts';
import { detectionSourceRoutes } from './source-routes.ts';
import { ScanTargetPage, ScanTargetStatus, scanTargetExample, scanTargetView } from './target-schema.ts';

const params = { id: idOf('scan') };
const read = { role: 'viewer', scope: 'scans:read' } as const;

async function requireScan(tx: Db, orgId: string, id: string): Promise<ScanRow> {
  const scan = isId('scan', id) ? await findScan(tx, orgId, id) : undefined;
  if (!scan) throw notFound('Scan');
  return scan;
}

type FilterInput = {
  source?: string[];
  status?: string[];
  data_source?: string[];
  created_from?: string;
  created_to?: string;
};

function readFilter(input: FilterInput): ScanFilter {
  const from = input.created_from === undefined ? null : readTime(input.created_from);
  const to = input.created_to === undefined ? null : readTime(input.created_to);
  if (from && to && from > to) throw invalid('query', 'created_from', 'must not be after `created_to`');
  return {
    sources: input.source ?? null,
    statuses: input.status ?? null,
    dataSourceIds: input.data_source ?? null,
    createdFrom: from,
    createdUntil: to && new Date(to.getTime() + 1_000),
  };
}

const list = defineRoute({
  method: 'GET',
  path: '/scans',
  operationId: 'listScans',
  tag: 'Scans',
  summary: 'List scans',
  description: 'Newest first.',
  extension: true,
  permission: read,
  query: {
    source: Type.Optional(
      listOf(Type.String({ minLength: 1, maxLength: 200 }), { description: 'By any of these detection sources.' }),
    ),
    status: Type.Optional(listOf(ScanStatus, { description: 'In any of these statuses.' })),
    data_source: Type.Optional(
      listOf(Type.String({ minLength: 1, maxLength: 100 }), {
        description: 'Scans of any of these data sources (ids).',
      }),
    ),
    created_from: Type.Optional(timeInput('Created at or after this time.')),
    created_to: Type.Optional(timeInput('Created at or before this time, to the second.')),
    ...pageParameters,
  },
  responses: {
    200: {
      schema: ScanPage,
      description: 'A page of scans.',
      example: { data: [endedScanExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor: { orgId }, query, context }) => {
    const { limit, next_cursor: cursor, ...filters } = query;
    const filter = readFilter(filters);
    const binding = { operation: 'listScans', orgId, filters };
    const beforeId = cursor === undefined ? null : String(context.cursors.decode(binding, cursor)[0]);
    const page = { beforeId, limit: limit + 1 };
    const rows = await listScans(autocommit(context.database, orgId), orgId, filter, page);
    const { data, next_cursor } = pageOf(rows, limit, context.cursors, binding, (row) => [row.id]);
    return { data: data.map(scanView), next_cursor };
  },
});

const get = defineRoute({
  method: 'GET',
  path: '/scans/{id}',
  operationId: 'getScan',
  tag: 'Scans',
  summary: 'Get a scan',
  description: 'Its progress, and what it found.',
  extension: true,
  permission: read,
  params,
  responses: { 200: { schema: Scan, description: 'The scan.', example: endedScanExample } },
  errors: ['not_found'],
  handler: async ({ actor: { orgId }, params: { id }, context }) =>
    scanView(await requireScan(autocommit(context.database, orgId), orgId, id)),
});

const cancel = defineRoute({
  method: 'POST',
  path: '/scans/{id}/cancel',
  operationId: 'cancelScan',
  tag: 'Scans',
  summary: 'Cancel a scan',
  description: 'Ends an unfinished scan. What it has found stays; nothing is closed.',
  extension: true,
  permission: { role: 'analyst', scope: 'scans:write' },
  params,
  responses: {
    200: {
      schema: Scan,
      description: 'The cancelled scan.',
      example: { ...scanExample, status: 'cancelled', completed_at: '2026-02-01T02:00:03Z' },
    },
  },
  errors: ['not_found', 'conflict'],
  handler: ({ actor, params: { id }, transaction }) =>
    transaction(async (tx) => {
      const { orgId } = actor;
      const { status, source } = await requireScan(tx, orgId, id);
      const isCancelled = await cancelScan(tx, orgId, id);
      if (!isCancelled && status !== 'cancelled') {
        throw new ApiError('conflict', `The scan has ended (${status}): there is nothing to cancel.`);
      }
      if (isCancelled) {
        const target = { id, name: source };
        await recordAudit(tx, orgId, {
          actor: auditActor(actor),
          action: 'scan.cancelled',
          target,
          before: { status },
        });
      }
      return scanView(await requireScan(tx, orgId, id));
    }),
});

const events = defineRoute({
  method: 'GET',
  path: '/scans/{id}/events',
  operationId: 'streamScanEvents',
  tag: 'Scans',
  summary: 'Follow a scan',
  description:
    'Server-sent events, each with the scan as its data: `progress` whenever it changed, and `end` last. They end within a second when the token or session is revoked or its role changes, and after 15 minutes; event sources then connect again by themselves. A token may have 20 streams open, a session 5; more are 429.',
  extension: true,
  permission: read,
  params,
  responses: {
    200: {
      content: { 'text/event-stream': Type.String({ description: 'Server-sent events, as HTML defines them.' }) },
      description: 'The events.',
    },
  },
  errors: ['not_found'],
  handler: async ({ actor: { orgId }, params: { id }, context, reply }) => {
    const scan = await requireScan(autocommit(context.database, orgId), orgId, id);
    reply.type('text/event-stream').header('x-accel-buffering', 'no');
    return context.scanWatches.follow(orgId, scan);
  },
});

const targets = defineRoute({
  method: 'GET',
  path: '/scans/{id}/targets',
  operationId: 'listScanTargets',
  tag: 'Scans',
  summary: 'List the targets of a scan',
  description:
    'Returns what the scan did with each of its data sources, in the order in which the data sources were added. `closed_nothing_because` says why no finding was closed there.',
  extension: true,
  permission: read,
  params,
  query: {
    status: Type.Optional(listOf(ScanTargetStatus, { description: 'In any of these statuses.' })),
    ...pageParameters,
  },
  responses: {
    200: {
      schema: ScanTargetPage,
      description: 'A page of targets.',
      example: { data: [scanTargetExample], next_cursor: null },
    },
  },
  errors: ['not_found', 'invalid_cursor'],
  handler: async ({ actor: { orgId }, params: { id }, query, context }) => {
    const { limit, next_cursor: cursor, status } = query;
    const binding = { operation: 'listScanTargets', orgId, filters: { id, status } };
    const afterId = cursor === undefined ? null : String(context.cursors.decode(binding, cursor)[0]);
    const db = autocommit(context.database, orgId);
    await requireScan(db, orgId, id);
    const rows = await listTargets(db, orgId, id, { statuses: status ?? null, afterId, limit: limit + 1 });
    const { data, next_cursor } = pageOf(rows, limit, context.cursors, binding, (row) => [row.dataSourceId]);
    return { data: data.map(scanTargetView), next_cursor };
  },
});

export const scanRoutes = [...detectionSourceRoutes, list, get, targets, cancel, events];
