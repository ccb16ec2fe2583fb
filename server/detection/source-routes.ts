import Type from 'typebox';
import { defineRoute } from '../context.ts';
import { dataSourceKinds } from '../data-sources/kind.ts';
import { pageOf } from '../platform/http/cursor.ts';
import { enumeration, nullable, page, pageParameters, time } from '../platform/http/schema.ts';
import { formatTimeOrNull } from '../platform/times.ts';
import { storedAdvisories } from './advisories/queries.ts';
import { detectors } from './detectors/index.ts';
import { findScan, listSourceFigures } from './scan-queries.ts';
import { Scan, ScanStatus, scanExample, scanView } from './scan-schema.ts';
import { requireDetector, startScan } from './start-scan.ts';
import { preferredWaitMs, waitForScan } from './wait-for-scan.ts';

const DetectionSource = Type.Object(
  {
    type: Type.String({ description: 'Names it in paths and filters.' }),
    name: Type.String(),
    description: Type.String(),
    mode: enumeration(['scan', 'push'] as const, {
      description: '`scan`: run by the platform; `push`: its results come in by import.',
    }),
    status: enumeration(['connected', 'unavailable'] as const),
    status_reason: nullable(Type.String({ description: 'Why it is unavailable.' })),
    version: nullable(Type.String()),
    data_source_kinds: Type.Array(enumeration(dataSourceKinds)),
    open_findings: Type.Integer({ minimum: 0 }),
    last_scan: nullable(
      Type.Object({ id: Type.String(), status: ScanStatus, completed_at: nullable(time()) }, { $id: 'LastScan' }),
    ),
  },
  { $id: 'DetectionSource' },
);

const example = {
  type: 'secrets',
  name: 'Secrets',
  description: 'Credentials in the files, the history and the commit messages of git repositories.',
  mode: 'scan',
  status: 'connected',
  status_reason: null,
  version: '1.0.0',
  data_source_kinds: ['git_repository'],
  open_findings: 12,
  last_scan: { id: scanExample.id, status: 'completed', completed_at: '2026-02-01T02:00:07Z' },
} as const;

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
      example: { data: [example], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor: { orgId }, query, context }) => {
    const binding = { operation: 'listDetectionSources', orgId };
    const after = query.next_cursor === undefined ? null : context.cursors.decode(binding, query.next_cursor)[0];
    const start = after === null ? 0 : detectors.findIndex((one) => one.type === after) + 1;
    const { data, next_cursor } = pageOf(
      detectors.slice(start, start + query.limit + 1),
      query.limit,
      context.cursors,
      binding,
      (one) => [one.type],
    );
    const types = data.map((one) => one.type);
    const figures = await context.database.transaction(orgId, (tx) => listSourceFigures(tx, orgId, types));
    const advisories = storedAdvisories(context.database);
    const sources = data.map(async (detector) => {
      const figure = figures.find((row) => row.source === detector.type)!;
      const reason = await detector.unavailableReason(advisories);
      const { type, name, description, version } = detector;
      const lastScan = figure.scanId
        ? { id: figure.scanId, status: figure.scanStatus!, completed_at: formatTimeOrNull(figure.completedAt) }
        : null;
      return {
        ...{ type, name, description, version, mode: 'scan' as const, data_source_kinds: detector.dataSourceKinds },
        ...{ status: reason === null ? ('connected' as const) : ('unavailable' as const), status_reason: reason },
        ...{ open_findings: figure.open, last_scan: lastScan },
      };
    });
    return { data: await Promise.all(sources), next_cursor };
  },
});

const scan = defineRoute({
  method: 'POST',
  path: '/detection-sources/{type}/scan',
  operationId: 'startScan',
  tag: 'Detection sources',
  summary: 'Start a scan',
  description:
    'Scans every data source of a kind that the detection source handles, or the one that `data_source` names. While a scan that covers the same is queued or running, that one is answered and no second is made. Follow it at its address (`Location`), or have the answer wait for its end with `Prefer: wait=SECONDS` (60 at most).',
  permission: { role: 'analyst', scope: 'scans:write' },
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
    const detector = await requireDetector(context.database, params.type);
    const dataSourceIds = query.data_source === undefined ? null : [query.data_source];
    const scan = await transaction(async (tx) => {
      const id = await startScan(tx, orgId, { detector, trigger: 'api', requestedBy: userId, dataSourceIds });
      reply.header('location', `/api/v1/scans/${id}`);
      return scanView((await findScan(tx, orgId, id))!);
    });
    const waitMs = preferredWaitMs(request.headers.prefer);
    if (waitMs === 0) return scan;
    reply.header('preference-applied', 'wait');
    return scanView(await waitForScan(context.database, orgId, scan.id, waitMs));
  },
});

export const detectionSourceRoutes = [list, scan];
