import Type from 'typebox';
import { defineRoute } from '../../context.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { waitForEndAsPreferred } from '../../platform/http/prefer.ts';
import { page, pageParameters } from '../../platform/http/schema.ts';
import { autocommit } from '../../platform/postgres/database.ts';
import { listSources } from './list-sources.ts';
import { findScan } from './queries.ts';
import { Scan, scanExample, scanView } from './scan-schema.ts';
import { DetectionSource, sourceExample } from './source-schema.ts';
import { requireDetector, startScan } from './start-scan.ts';

const list = defineRoute({
  method: 'GET',
  path: '/detection-sources',
  operationId: 'listDetectionSources',
  tag: 'Detection sources',
  summary: 'List detection sources',
  description: 'The connected scanners, and whether each can run now.',
  permission: { role: 'viewer', scope: 'scans:read' },
  query: pageParameters,
  responses: {
    200: {
      schema: page(DetectionSource, 'DetectionSource'),
      description: 'A page of detection sources.',
      example: { data: [sourceExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor: { orgId }, query, context }) => {
    const binding = { operation: 'listDetectionSources', orgId };
    const after = query.next_cursor === undefined ? null : context.cursors.decode(binding, query.next_cursor)[0];
    const rows = await listSources(context, orgId, after === null ? null : String(after), query.limit + 1);
    return pageOf(rows, query.limit, context.cursors, binding, (one) => [one.type]);
  },
});

const scan = defineRoute({
  method: 'POST',
  path: '/detection-sources/{type}/scan',
  operationId: 'startScan',
  tag: 'Detection sources',
  summary: 'Start a scan',
  description:
    'Scans every data source of a kind that the detection source handles, or the one that `data_source` names. While a scan that covers the same is queued or running, that one is returned and no second one starts. Follow the scan at its address (`Location`), or wait for its end with `Prefer: wait=SECONDS` (60 at most).',
  permission: { role: 'analyst', scope: 'scans:write' },
  waits: true,
  params: { type: Type.String({ description: 'Type of the detection source.' }) },
  query: {
    data_source: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Scan only this data source (id). An extension.' }),
    ),
  },
  responses: {
    202: {
      schema: Scan,
      description: 'The scan.',
      example: scanExample,
      headers: { Location: 'The address of the scan.' },
    },
  },
  errors: ['not_found', 'detection_source_unavailable', 'scan_not_supported', 'no_matching_data_source', 'conflict'],
  handler: async ({ actor: { orgId, userId }, params, query, request, reply, context, transaction }) => {
    const detector = await requireDetector(context.database, orgId, params.type);
    const dataSourceIds = query.data_source === undefined ? null : [query.data_source];
    const scan = await transaction(async (tx) => {
      const id = await startScan(tx, orgId, { detector, trigger: 'api', requestedBy: userId, dataSourceIds });
      reply.header('location', `/api/v1/scans/${id}`);
      return scanView((await findScan(tx, orgId, id))!);
    });
    const readScan = async () => scanView((await findScan(autocommit(context.database, orgId), orgId, scan.id))!);
    return waitForEndAsPreferred(request, reply, scan, readScan, (withinMs) =>
      context.scanWatches.untilEnded(orgId, scan.id, withinMs),
    );
  },
});

export const detectionSourceRoutes = [list, scan];
