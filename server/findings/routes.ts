import Type from 'typebox';
import { defineRoute } from '../context.ts';
import { invalid } from '../platform/errors.ts';
import { RawJson } from '../platform/http/raw-json.ts';
import { enumeration, listOf, pageParameters } from '../platform/http/schema.ts';
import { autocommit } from '../platform/postgres/database.ts';
import { facetsRoute } from './figures/facets-route.ts';
import { groupsRoute } from './figures/groups-route.ts';
import { pickerRoutes } from './figures/picker-routes.ts';
import { progressRoute } from './figures/progress-route.ts';
import { suggestionsRoute } from './figures/suggestions-route.ts';
import { summaryRoute } from './figures/summary-route.ts';
import { readMomentOf, withMoment } from './filters/moment.ts';
import { filterProperties, readFilters } from './filters/read.ts';
import { FindingPage, findingExample } from './finding-schema.ts';
import { findingFields } from './finding-sql.ts';
import { listInOrder } from './listing/list-by-relevance.ts';
import { requireFilterOf, sortParameter } from './listing/list-order.ts';
import { requirePresent } from './listing/moved-positions.ts';
import { defaultSort } from './orders.ts';
import { policyRoutes } from './policy/policy-routes.ts';
import { commentRoutes } from './timeline/comment-routes.ts';
import { historyRoutes } from './timeline/history-routes.ts';

const list = defineRoute({
  method: 'GET',
  path: '/findings',
  operationId: 'listFindings',
  tag: 'Findings',
  summary: 'List findings',
  description:
    'Several values of one filter match findings with any of them; several filters must all match. To follow changes, keep the `updated_at` of the last finding that you received and request `sort=updated_at` with that time as `updated_from`: a finding that changes while you read is returned again in its new state, and none is missed. That holds when the operator brings back times that lie in the future (`assay repair clock`): the list goes on behind the same changes.',
  permission: { role: 'viewer', scope: 'findings:read' },
  readsReplica: true,
  query: {
    ...filterProperties,
    sort: sortParameter,
    fields: Type.Optional(
      listOf(enumeration(findingFields, { $id: 'FindingField' }), {
        description:
          'Return only these fields of each finding, and its `id`. Lists have `code`, `flow` and `fix` only when they are named here. Leaving out `description`, `evidence`, `remediation` and what else a scanner reported makes large pages faster. Generated clients that require every field of a finding cannot read such pages. An extension.',
      }),
    ),
    ...pageParameters,
  },
  responses: {
    200: {
      schema: FindingPage,
      description: 'A page of findings; with `fields`, with only these fields.',
      example: { data: [findingExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor, query, context, reads }) => {
    const { sort = defaultSort, limit, next_cursor, fields, ...given } = query;
    const binding = { operation: 'listFindings', orgId: actor.orgId, filters: { ...given }, sort };
    const cursorRead = next_cursor === undefined ? null : context.cursors.decode(binding, next_cursor);
    const { now, position } = readMomentOf(cursorRead);
    requireFilterOf(sort, given, (message) => invalid('query', 'sort', message));
    const after = position as string[] | null;
    if (after) await requirePresent(reads, actor.orgId, after, sort);
    const filters = await readFilters(autocommit(reads, actor.orgId), actor, given, { now });
    const page = { filters, after, limit: limit + 1, fields };
    const rows = await listInOrder(reads, actor.orgId, sort, page, context.columns);
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    const cursor = last
      ? JSON.stringify(context.cursors.encode(binding, withMoment(last.position, now, given)))
      : 'null';
    const data = rows.slice(0, limit).map((row) => row.json);
    const text = `{"data":[${data.join(',')}],"next_cursor":${cursor}}`;
    return new RawJson(text, { isPart: fields !== undefined });
  },
});

export const findingRoutes = [
  list,
  summaryRoute,
  progressRoute,
  facetsRoute,
  groupsRoute,
  suggestionsRoute,
  ...commentRoutes,
  ...historyRoutes,
  ...pickerRoutes,
  ...policyRoutes,
];
