import Type from 'typebox';
import { defineRoute } from '../context.ts';
import { invalid, notFound } from '../platform/errors.ts';
import { etagOf } from '../platform/http/etag.ts';
import { RawJson } from '../platform/http/raw-json.ts';
import { enumeration, idOf, listOf, pageParameters } from '../platform/http/schema.ts';
import { isId } from '../platform/id.ts';
import { autocommit, type Db } from '../platform/postgres/database.ts';
import { decisionProperties, readDecision, requireOpen, requireTriage, requireVersion } from './decision-input.ts';
import { facetsRoute } from './figures/facets-route.ts';
import { groupsRoute } from './figures/groups-route.ts';
import { pickerRoutes } from './figures/picker-routes.ts';
import { summaryRoute } from './figures/summary-route.ts';
import { readMomentOf, withMoment } from './filters/moment.ts';
import { filterProperties, readFilters } from './filters/read.ts';
import { FindingDetail, FindingPage, findingDetailExample, findingExample } from './finding-schema.ts';
import { findingFields } from './finding-sql.ts';
import { listInOrder } from './listing/list-by-relevance.ts';
import { requireFilterOf, sortParameter } from './listing/list-order.ts';
import { requirePresent } from './listing/moved-positions.ts';
import type { LockedFinding } from './merge-queries.ts';
import { defaultSort } from './orders.ts';
import { policyRoutes } from './policy/policy-routes.ts';
import { findFinding } from './queries.ts';
import { commentRoutes } from './timeline/comment-routes.ts';
import { historyRoutes } from './timeline/history-routes.ts';
import { triageFindings } from './triage-findings.ts';

const idParameter = { id: idOf('fnd') };
const noFinding = () => notFound('The finding was');

/** Returns a finding with its detail fields and sets its ETag. */
async function sendFinding(db: Db, orgId: string, id: string, setEtag: (etag: string) => unknown): Promise<RawJson> {
  const found = isId('fnd', id) ? await findFinding(db, orgId, id) : undefined;
  if (!found) throw noFinding();
  setEtag(etagOf(found.version));
  return new RawJson(found.json);
}

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

const get = defineRoute({
  method: 'GET',
  path: '/findings/{id}',
  operationId: 'getFinding',
  tag: 'Findings',
  summary: 'Get one finding',
  description: 'Returns the finding with its code, flow and fix, and the places in which it occurs.',
  permission: { role: 'viewer', scope: 'findings:read' },
  params: idParameter,
  responses: {
    200: {
      schema: FindingDetail,
      description: 'The finding.',
      example: findingDetailExample,
      headers: { ETag: 'Its version.' },
    },
  },
  errors: ['not_found'],
  handler: ({ actor, params, context, reply }) =>
    sendFinding(autocommit(context.database, actor.orgId), actor.orgId, params.id, (etag) =>
      reply.header('etag', etag),
    ),
});

const update = defineRoute({
  method: 'PATCH',
  path: '/findings/{id}',
  operationId: 'updateFinding',
  tag: 'Findings',
  summary: 'Update a finding',
  description:
    'Sets the fields that the body contains, all or none; `comment` adds a comment. Any status may follow any other. A developer sets `in_progress` on open findings and comments; the rest needs the role `analyst`.',
  permission: { role: 'developer', scope: 'findings:write' },
  params: idParameter,
  bodyLimit: 256 * 1024,
  body: Type.Object(decisionProperties, { minProperties: 1, $id: 'FindingUpdate' }),
  requestExample: { status: 'false_positive', comment: 'A test fixture: the key was never live.' },
  responses: {
    200: {
      schema: FindingDetail,
      description: 'The updated finding.',
      example: {
        ...findingDetailExample,
        status: 'false_positive',
        closed_at: '2026-02-02T10:00:00Z',
        comment_count: 1,
      },
      headers: { ETag: 'Its version.' },
    },
  },
  errors: ['not_found', 'precondition_failed'],
  handler: ({ actor, params, body, request, reply, transaction }) =>
    transaction(async (tx) => {
      if (!isId('fnd', params.id)) throw noFinding();
      requireTriage(actor, body);
      const decision = await readDecision(tx, actor.orgId, body);
      const isOfVersion = requireVersion(request);
      const guard = (finding: LockedFinding) => {
        isOfVersion(finding);
        requireOpen(actor, finding, decision);
      };
      const { found } = await triageFindings(tx, actor.orgId, actor.userId, [params.id], decision, guard);
      if (found === 0) throw noFinding();
      return sendFinding(tx, actor.orgId, params.id, (etag) => reply.header('etag', etag));
    }),
});

export const findingRoutes = [
  list,
  summaryRoute,
  facetsRoute,
  groupsRoute,
  get,
  update,
  ...commentRoutes,
  ...historyRoutes,
  ...pickerRoutes,
  ...policyRoutes,
];
