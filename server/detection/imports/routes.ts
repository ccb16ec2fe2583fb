import Type, { type Static } from 'typebox';
import { type Context, defineRoute } from '../../context.ts';
import { createDataSource, prepareDataSource } from '../../data-sources/create-data-source.ts';
import { keepDataSource, listDataSourcesByName, lockUploadName } from '../../data-sources/queries.ts';
import type { DataSourceServices } from '../../data-sources/services.ts';
import { auditActor } from '../../organization/audit.ts';
import { authorize } from '../../organization/roles.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { waitForEndAsPreferred } from '../../platform/http/prefer.ts';
import type { HandlerInput } from '../../platform/http/route.ts';
import { enumeration, idOf } from '../../platform/http/schema.ts';
import { newId } from '../../platform/id.ts';
import { limitReached } from '../../platform/limits.ts';
import { nameSchema } from '../../platform/name.ts';
import { autocommit, type Db } from '../../platform/postgres/database.ts';
import { findScan } from '../scans/queries.ts';
import { Scan, scanExample, scanView } from '../scans/scan-schema.ts';
import { ImportPreview, importPreviewExample } from './preview-import.ts';
import { importFormats, importTitles } from './receive-import.ts';
import { requireImportTarget, startImport } from './start-import.ts';

/** The uploads that this node receives, by organization. */
const open = new Map<string, number>();

/**
 * Runs `receive` as one of the `max` uploads that an organization may have open on this node. Throws 409, before
 * anything is read, when that number is reached.
 */
async function asOpenUpload<T>(orgId: string, max: number, receive: () => Promise<T>): Promise<T> {
  const count = open.get(orgId) ?? 0;
  if (count >= max) throw limitReached(max, 'open uploads of an organization', 'Wait until one has ended.');
  open.set(orgId, count + 1);
  try {
    return await receive();
  } finally {
    const left = open.get(orgId)! - 1;
    if (left > 0) open.set(orgId, left);
    else open.delete(orgId);
  }
}

/**
 * Finds the data source with this name: an upload, else one of another kind, such as a repository that a pipeline
 * scans. Without one, throws 403 unless the caller may add it, and returns null. Throws 409 when several have the
 * name.
 */
async function findUpload(db: Db, actor: Actor, name: string): Promise<string | null> {
  const ids = await listDataSourcesByName(db, actor.orgId, name);
  if (ids.length > 1) {
    const message = `Several data sources are named "${name}": ${ids.join(', ')}. Import into one of them by its id, or rename the others.`;
    throw new ApiError('conflict', message);
  }
  if (ids.length === 0) requireRightToAdd(actor, name);
  return ids[0] ?? null;
}

function requireRightToAdd(actor: Actor, name: string): void {
  try {
    authorize(actor, { role: 'admin', scope: 'sources:write' });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(
      error.code,
      `There is no data source named "${name}" yet, and this import would add it. ${error.message}`,
    );
  }
}

/** Finds the data source with this name, or adds an upload. One of several concurrent first uses adds it. */
async function useUpload(tx: Db, actor: Actor, name: string, services: DataSourceServices): Promise<string> {
  await lockUploadName(tx, actor.orgId, name);
  for (let known = await findUpload(tx, actor, name); known !== null; known = await findUpload(tx, actor, name)) {
    // A data source that is being deleted is no longer found.
    if (await keepDataSource(tx, actor.orgId, known)) return known;
  }
  const prepared = await prepareDataSource(actor.orgId, { kind: 'upload', name }, services);
  return createDataSource(tx, actor.orgId, prepared, { actor: auditActor(actor), keyring: services.keyring });
}

const query = {
  format: Type.Optional(
    enumeration(importFormats, {
      $id: 'ImportFormat',
      description: 'The format of the file; detected when not given. The extension `x-titles` names the tools.',
      'x-titles': importTitles,
    }),
  ),
  tool: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'The tool that wrote the file, if the file does not name it or names another: its results belong to the detection source of this name. Refused for a file with results of several tools.',
    }),
  ),
  close_missing: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Resolve findings that this tool reported here before and no longer reports. A file that many tools write and that names none (`generic`) needs `tool`.',
    }),
  ),
  dry_run: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Only return what the import would do (200): nothing is written.',
    }),
  ),
};
const querySchema = Type.Object(query);

/** Fields of both routes. */
const importRoute = {
  method: 'POST',
  tag: 'Data sources',
  extension: true,
  permission: { role: 'analyst', scope: 'scans:write' },
  waits: true,
  rawBody: {
    description: 'The result file, compressed with gzip or not. Any content type is accepted.',
    contentTypes: ['application/octet-stream'] as string[],
  },
  status: 202,
  responses: {
    200: {
      schema: ImportPreview,
      description: 'The effect that the import would have.',
      example: importPreviewExample,
    },
    202: {
      schema: Scan,
      description: 'The scan that merges it.',
      example: { ...scanExample, source: 'trivy', trigger: 'import', data_sources: ['ds_01jd3x7k2pfr6v0t9y8n7m6k5j'] },
      headers: { Location: 'The address of the scan.' },
    },
  },
} as const;

type Input = Pick<
  HandlerInput<Context, Actor, never, Static<typeof querySchema>, never>,
  'actor' | 'query' | 'upload' | 'request' | 'reply' | 'context' | 'transaction'
>;

/** The data source of an import, found before the file is read; null when it is only added afterwards. */
type ImportTarget = { find(tx: Db): Promise<string | null>; use(tx: Db): Promise<string> };

async function importInto(
  target: ImportTarget,
  { actor: { orgId, userId }, query, upload, request, reply, context, transaction }: Input,
) {
  const { database, imports } = context;
  const found = await target.find(autocommit(database, orgId));
  // A dry run writes nothing.
  if (!query.dry_run) await context.databaseRoom?.requireFor('imports');
  const { format, tool, close_missing: closeMissing = false } = query;
  const max = context.limits.openUploads;
  if (query.dry_run) {
    // A new id stands for a data source without findings.
    const order = { orgId, format, tool, dataSourceId: found ?? newId('ds'), closeMissing };
    const preview = await asOpenUpload(orgId, max, () => imports.preview(order, upload));
    reply.code(200);
    return preview;
  }
  const received = await asOpenUpload(orgId, max, () => imports.receive({ orgId, format, tool, closeMissing }, upload));
  const scan = await transaction(async (tx) => {
    const wanted = { dataSourceId: await target.use(tx), requestedBy: userId, closeMissing };
    await startImport(tx, orgId, wanted, received);
    reply.header('location', `/api/v1/scans/${received.scanId}`);
    return scanView((await findScan(tx, orgId, received.scanId))!);
  });
  const readScan = async () => scanView((await findScan(autocommit(database, orgId), orgId, scan.id))!);
  return waitForEndAsPreferred(request, reply, scan, readScan, (withinMs) =>
    context.scanWatches.untilEnded(orgId, scan.id, withinMs),
  );
}

const importResults = defineRoute({
  ...importRoute,
  path: '/data-sources/{id}/imports',
  operationId: 'importResults',
  summary: 'Import results',
  description:
    "Accepts a scanner's result file as the body, with or without gzip, and merges its results into the findings: the same results again, reordered or moved within their files, create no new finding. Returns a scan with the trigger `import`, to follow or to wait for (`Prefer: wait=SECONDS`, 60 at most). An invalid file is refused with the position of the error, and nothing of it is kept. An upload may take up to an hour as long as it arrives at a kilobyte a second or faster; a slower one ends with 408. The packages of a bill of materials (CycloneDX, SPDX) are matched with the loaded advisories, as the source `dependencies`. Suppressed results become `false_positive` or `accepted_risk`, with the reason as a comment. The files of `assay scan` have the findings of the server's own scans: where the server scans with a source itself, they confirm and add findings of it and change none.",
  params: { id: idOf('ds', '`ds_…`, of any kind.') },
  query,
  errors: ['not_found', 'limit_reached', 'detection_source_unavailable'],
  handler: (input) => {
    const { id } = input.params;
    const find = async (tx: Db) => {
      await requireImportTarget(tx, input.actor.orgId, id);
      return id;
    };
    return importInto({ find, use: async () => id }, input);
  },
});

const importResultsByName = defineRoute({
  ...importRoute,
  path: '/imports',
  operationId: 'importResultsByName',
  summary: 'Import results by the name of a data source',
  description:
    'Imports as `POST /data-sources/{id}/imports` does, into the data source of this name: an `upload`, else one of another kind, such as a repository. Without one, an `upload` is added: a pipeline needs one call. Adding it requires the role `admin` and the scope `sources:write`; later imports do not. If several have the name, the response is 409 `conflict` with their ids.',
  query: {
    data_source_name: nameSchema('The name of a data source.'),
    ...query,
  },
  errors: ['conflict', 'limit_reached', 'detection_source_unavailable'],
  handler: (input) => {
    const { actor, query, context } = input;
    const name = query.data_source_name;
    const target: ImportTarget = {
      find: (tx) => findUpload(tx, actor, name),
      use: (tx) => useUpload(tx, actor, name, context.dataSources),
    };
    return importInto(target, input);
  },
});

export const importRoutes = [importResults, importResultsByName];
