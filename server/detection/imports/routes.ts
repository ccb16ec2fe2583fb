import Type from 'typebox';
import { defineRoute } from '../../context.ts';
import { waitForEndAsPreferred } from '../../platform/http/prefer.ts';
import { enumeration, idOf } from '../../platform/http/schema.ts';
import { findScan } from '../scans/queries.ts';
import { Scan, scanExample, scanView } from '../scans/scan-schema.ts';
import { ImportPreview, importPreviewExample, previewImport } from './preview-import.ts';
import { importFormats, receiveImport } from './receive-import.ts';
import { requireImportTarget, startImport } from './start-import.ts';

const importResults = defineRoute({
  method: 'POST',
  path: '/data-sources/{id}/imports',
  operationId: 'importResults',
  tag: 'Data sources',
  summary: 'Import results',
  description:
    "Accepts a scanner's result file as the body, with or without gzip, and merges its results into the findings: the same results again, reordered or moved within their files, create no new finding. Returns a scan with the trigger `import`, to follow or to wait for (`Prefer: wait=SECONDS`, 60 at most). An invalid file is refused with the position of the error, and nothing of it is kept. An upload may take up to an hour as long as it arrives at a kilobyte a second or faster; a slower one ends with 408. The packages of a bill of materials (CycloneDX, SPDX) are matched with the loaded advisories, as the source `dependencies`. Suppressed results become `false_positive` or `accepted_risk`, with the reason as a comment.",
  extension: true,
  permission: { role: 'analyst', scope: 'scans:write' },
  waits: true,
  params: { id: idOf('ds', '`ds_…`, of any kind.') },
  query: {
    format: Type.Optional(
      enumeration(importFormats, { $id: 'ImportFormat', description: 'What the file is; recognised when not given.' }),
    ),
    close_missing: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Resolve what this tool has reported here before and does not any more.',
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Only return what the import would do (200): nothing is written.',
      }),
    ),
  },
  rawBody: {
    description: 'The result file, compressed with gzip or not. Any content type is accepted.',
    contentTypes: ['application/octet-stream'],
  },
  status: 202,
  responses: {
    200: { schema: ImportPreview, description: 'What the import would do.', example: importPreviewExample },
    202: {
      schema: Scan,
      description: 'The scan that merges it.',
      example: { ...scanExample, source: 'trivy', trigger: 'import', data_sources: ['ds_01jd3x7k2pfr6v0t9y8n7m6k5j'] },
      headers: { Location: 'The address of the scan.' },
    },
  },
  errors: ['not_found', 'payload_too_large', 'detection_source_unavailable'],
  handler: async ({ actor: { orgId, userId }, params, query, upload, request, reply, context, transaction }) => {
    const { database, dataSources } = context;
    await database.transaction(orgId, (tx) => requireImportTarget(tx, orgId, params.id));
    const reading = {
      format: query.format,
      keyedHash: (value: string) => dataSources.keyring.keyedHash(orgId, value),
      limitBytes: context.importLimitBytes,
    };
    const closeMissing = query.close_missing ?? false;
    if (query.dry_run) {
      const preview = await previewImport(database, orgId, params.id, upload, { ...reading, closeMissing });
      reply.code(200);
      return preview;
    }
    const received = await receiveImport(database, orgId, upload, reading);
    const scan = await transaction(async (tx) => {
      const wanted = { dataSourceId: params.id, requestedBy: userId, closeMissing };
      await startImport(tx, orgId, wanted, received);
      reply.header('location', `/api/v1/scans/${received.scanId}`);
      return scanView((await findScan(tx, orgId, received.scanId))!);
    });
    const readScan = () => database.transaction(orgId, async (tx) => scanView((await findScan(tx, orgId, scan.id))!));
    return waitForEndAsPreferred(request, reply, scan, readScan, (withinMs) =>
      context.scanWatches.untilEnded(orgId, scan.id, withinMs),
    );
  },
});

export const importRoutes = [importResults];
