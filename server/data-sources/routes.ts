import Type from 'typebox';
import { defineRoute } from '../context.ts';
import { auditActor } from '../organization/audit.ts';
import { ApiError, notFound } from '../platform/errors.ts';
import { pageOf } from '../platform/http/cursor.ts';
import { etagOf, requireMatch } from '../platform/http/etag.ts';
import { enumeration, idOf, listOf, pageParameters } from '../platform/http/schema.ts';
import { isId } from '../platform/id.ts';
import { connectionRoute } from './connection-route.ts';
import { createDataSource, prepareDataSource } from './create-data-source.ts';
import {
  DataSource,
  DataSourceCreation,
  DataSourcePage,
  DataSourceStatus,
  DataSourceUpdate,
  dataSourceExample,
  Kind,
} from './data-source-schema.ts';
import { dataSourceView } from './data-source-view.ts';
import { deleteDataSource } from './delete-data-source.ts';
import { dataSourceSorts, type ListedDataSource, listDataSources, positionOf } from './list-data-sources.ts';
import { type DataSourceRow, findDataSource } from './queries.ts';
import { DataSourceSuggestionPage, suggestDataSources, suggestionExample } from './suggest-data-sources.ts';
import { changeDataSource, prepareChange } from './update-data-source.ts';

const tag = 'Data sources';
const read = { role: 'viewer', scope: 'sources:read' } as const;
const write = { role: 'admin', scope: 'sources:write' } as const;
const params = { id: idOf('ds') };
const etagHeader = {
  ETag: 'The version of the data source. Send it as `If-Match` to change the data source only if it has not changed meanwhile.',
};

type Run = (statement: ReturnType<typeof findDataSource>) => Promise<DataSourceRow[]>;

async function requireDataSource(orgId: string, id: string, run: Run): Promise<DataSourceRow> {
  const [row] = isId('ds', id) ? await run(findDataSource(orgId, id)) : [];
  if (!row) throw notFound('Data source');
  return row;
}

const list = defineRoute({
  method: 'GET',
  path: '/data-sources',
  operationId: 'listDataSources',
  tag,
  summary: 'List data sources',
  description:
    'Returns the data sources of the organization, newest first or in the order of `sort`. The filters and `sort` are extensions.',
  permission: read,
  query: {
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Whose name or address contains this, in any case.' }),
    ),
    kind: Type.Optional(listOf(Kind, { description: 'Data sources of any of these kinds.' })),
    status: Type.Optional(listOf(DataSourceStatus, { description: 'In any of these statuses.' })),
    sort: Type.Optional(
      enumeration(dataSourceSorts, {
        $id: 'DataSourceSort',
        default: '-created_at',
        description:
          'Those that were never scanned are the oldest by `last_scanned_at`; by `status` the worst come first.',
      }),
    ),
    ...pageParameters,
  },
  responses: {
    200: {
      schema: DataSourcePage,
      description: 'A page of data sources.',
      example: { data: [dataSourceExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor: { orgId }, query, context }) => {
    const { limit, next_cursor: cursor, sort = '-created_at', ...filters } = query;
    const binding = { operation: 'listDataSources', orgId, filters, sort };
    const after = cursor === undefined ? null : context.cursors.decode(binding, cursor);
    const filter = { text: filters.q ?? null, kinds: filters.kind ?? null, statuses: filters.status ?? null };
    const statement = listDataSources(orgId, filter, { sort, after, limit: limit + 1 });
    const rows = await context.database.single<ListedDataSource>(orgId, statement);
    const { data, next_cursor } = pageOf(rows, limit, context.cursors, binding, positionOf);
    return { data: data.map(dataSourceView), next_cursor };
  },
});

const create = defineRoute({
  method: 'POST',
  path: '/data-sources',
  operationId: 'createDataSource',
  tag,
  summary: 'Add a data source',
  description:
    'Adds a target to scan. A second one of the same kind and address is `already_exists`, with the id of the first in `details`. Targets inside the network are refused unless the operator allows them, here and again at every connection.',
  permission: write,
  body: DataSourceCreation,
  requestExample: {
    kind: 'git_repository',
    name: 'payments-api',
    config: {
      url: 'https://github.com/example/payments-api.git',
      branch: 'main',
      credential: { token: 'the access token' },
    },
  },
  responses: {
    201: {
      schema: DataSource,
      description: 'The new data source.',
      example: dataSourceExample,
      headers: { Location: 'Its address.', ...etagHeader },
    },
  },
  errors: ['already_exists'],
  handler: async ({ actor, body, context, reply, transaction }) => {
    const prepared = await prepareDataSource(actor.orgId, body, context.dataSources);
    return transaction(async (tx) => {
      const by = { actor: auditActor(actor), keyring: context.dataSources.keyring };
      const id = await createDataSource(tx, actor.orgId, prepared, by);
      const row = await requireDataSource(
        actor.orgId,
        id,
        async (statement) => (await tx.query<DataSourceRow>(statement)).rows,
      );
      reply.header('location', `/api/v1/data-sources/${id}`).header('etag', etagOf(row.version));
      return dataSourceView(row);
    });
  },
});

const get = defineRoute({
  method: 'GET',
  path: '/data-sources/{id}',
  operationId: 'getDataSource',
  tag,
  summary: 'Get a data source',
  description: 'Returns a data source.',
  extension: true,
  permission: read,
  params,
  responses: {
    200: { schema: DataSource, description: 'The data source.', example: dataSourceExample, headers: etagHeader },
  },
  errors: ['not_found'],
  handler: async ({ actor: { orgId }, params: { id }, context, reply }) => {
    const row = await requireDataSource(orgId, id, (statement) => context.database.single(orgId, statement));
    reply.header('etag', etagOf(row.version));
    return dataSourceView(row);
  },
});

const update = defineRoute({
  method: 'PATCH',
  path: '/data-sources/{id}',
  operationId: 'updateDataSource',
  tag,
  summary: 'Update a data source',
  description:
    'Changes the name, `tags`, `owner`, `criticality`, `exposure` and any fields of the `config`. Fields that you leave out stay as they are. `credential` replaces the credential, or removes it when null. A stored credential does not follow the URL to another host.',
  extension: true,
  permission: write,
  params,
  body: DataSourceUpdate,
  requestExample: { name: 'payments', config: { branch: 'release' }, criticality: 'high' },
  responses: {
    200: {
      schema: DataSource,
      description: 'The updated data source.',
      example: dataSourceExample,
      headers: etagHeader,
    },
  },
  errors: ['not_found', 'already_exists', 'conflict', 'precondition_failed'],
  handler: async ({ actor, params: { id }, body, context, request, reply, transaction }) => {
    const { orgId } = actor;
    const attempt = async () => {
      const row = await requireDataSource(orgId, id, (statement) => context.database.single(orgId, statement));
      requireMatch(request, row.version);
      const change = await prepareChange(orgId, row, body, context.dataSources);
      return transaction(async (tx) => {
        await changeDataSource(tx, orgId, change, { actor: auditActor(actor), keyring: context.dataSources.keyring });
        return requireDataSource(orgId, id, async (statement) => (await tx.query<DataSourceRow>(statement)).rows);
      });
    };
    // Retries with the changed row: with If-Match, that is the expected 412.
    const row = await attempt().catch((error) => {
      if (error instanceof ApiError && error.code === 'conflict') return attempt();
      throw error;
    });
    reply.header('etag', etagOf(row.version));
    return dataSourceView(row);
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/data-sources/{id}',
  operationId: 'deleteDataSource',
  tag,
  summary: 'Delete a data source',
  description:
    'Removes the data source from lists and schedules, stops its scans, destroys its credential, and resolves its open findings (`data_source_removed`). The rest of its history is kept.',
  permission: write,
  params,
  responses: { 204: { description: 'The data source was deleted.' } },
  errors: ['not_found', 'precondition_failed'],
  handler: async ({ actor, params: { id }, context, request, transaction }) => {
    if (!isId('ds', id)) throw notFound('Data source');
    await transaction((tx) =>
      deleteDataSource(tx, actor.orgId, id, {
        actor: auditActor(actor),
        onDeleted: context.dataSources.onDeleted,
        requireVersion: (version) => requireMatch(request, version),
      }),
    );
  },
});

const suggestions = defineRoute({
  method: 'GET',
  path: '/data-sources/suggestions',
  operationId: 'listDataSourceSuggestions',
  tag,
  summary: 'List suggested data sources',
  description:
    'Returns data sources that you can add as they are: for the first organization of an installation, the sample repository, which needs no network. For others, and where it is not on this machine, the list is empty.',
  extension: true,
  permission: read,
  query: pageParameters,
  responses: {
    200: {
      schema: DataSourceSuggestionPage,
      description: 'The suggestions.',
      example: { data: [suggestionExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor: { orgId }, query, context }) => {
    // There is never more than one page: no cursor is valid.
    if (query.next_cursor !== undefined) {
      context.cursors.decode({ operation: 'listDataSourceSuggestions', orgId }, query.next_cursor);
    }
    return { data: await suggestDataSources(context.database, orgId, context.dataSources), next_cursor: null };
  },
});

export const dataSourceRoutes = [list, create, connectionRoute, suggestions, get, update, remove];
