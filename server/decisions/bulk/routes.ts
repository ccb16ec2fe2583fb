import { defineRoute } from '../../context.ts';
import { auditActor, recordAudit } from '../../organization/audit.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { waitAsPreferred } from '../../platform/http/prefer.ts';
import { idOf, pageParameters } from '../../platform/http/schema.ts';
import { isId } from '../../platform/id.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import { autocommit, type Db } from '../../platform/postgres/database.ts';
import { doNextBatch } from './advance-operation.ts';
import {
  BulkOperation,
  BulkOperationPage,
  maxAtOnce,
  operationExample,
  operationView,
  undoneExample,
} from './bulk-schema.ts';
import { operationJobType, operationKey } from './job-type.ts';
import { beginUndo, findOperation, listOperations, lockOperation, type OperationRow } from './queries.ts';
import { updateRoute } from './update-route.ts';

const tag = 'Bulk operations';
const params = { id: idOf('bulk') };
const read = { role: 'viewer', scope: 'findings:read' } as const;
const write = { role: 'analyst', scope: 'findings:write' } as const;

async function requireOperation(db: Db, orgId: string, id: string): Promise<OperationRow> {
  const row = isId('bulk', id) ? await findOperation(db, orgId, id) : undefined;
  if (!row) throw notFound('Bulk operation');
  return row;
}

const list = defineRoute({
  method: 'GET',
  path: '/bulk-operations',
  operationId: 'listBulkOperations',
  tag,
  summary: 'List bulk operations',
  description: 'Returns the updates of many findings, newest first. They are kept for 90 days.',
  extension: true,
  permission: read,
  query: pageParameters,
  responses: {
    200: {
      schema: BulkOperationPage,
      description: 'A page of bulk operations.',
      example: { data: [operationExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor: { orgId }, query: { limit, next_cursor: cursor }, context }) => {
    const binding = { operation: 'listBulkOperations', orgId };
    const beforeId = cursor === undefined ? null : String(context.cursors.decode(binding, cursor)[0]);
    const rows = await listOperations(autocommit(context.database, orgId), orgId, { beforeId, limit: limit + 1 });
    const { data, next_cursor } = pageOf(rows, limit, context.cursors, binding, (row) => [row.id]);
    return { data: data.map(operationView), next_cursor };
  },
});

const get = defineRoute({
  method: 'GET',
  path: '/bulk-operations/{id}',
  operationId: 'getBulkOperation',
  tag,
  summary: 'Get a bulk operation',
  description: 'Returns its progress and counts.',
  extension: true,
  permission: read,
  params,
  responses: { 200: { schema: BulkOperation, description: 'The operation.', example: operationExample } },
  errors: ['not_found'],
  handler: async ({ actor: { orgId }, params: { id }, context }) =>
    operationView(await requireOperation(autocommit(context.database, orgId), orgId, id)),
});

/** Throws a 409 error that explains why an operation can't be undone. */
function refuseUndo(row: OperationRow): never {
  const why =
    row.completedAt === null
      ? 'It is still under way: wait until it has ended'
      : row.updated === 0
        ? 'It changed nothing'
        : 'It ended more than 24 hours ago';
  throw new ApiError('conflict', `${why}; it cannot be undone.`);
}

const undo = defineRoute({
  method: 'POST',
  path: '/bulk-operations/{id}/undo',
  operationId: 'undoBulkOperation',
  tag,
  summary: 'Undo a bulk operation',
  description: `Restores status, decision, tags, assignee and end of an accepted risk of the findings that the operation changed, for 24 hours after it has ended. Decisions that were made or ended meanwhile count. Findings that were changed since are skipped and counted, and so are those that the policy lets nobody close alone (\`approval_from\`); comments stay. Above ${maxAtOnce.toLocaleString('en')} findings a job does it: 202 (\`Prefer: wait\` waits for it). Undoing once more changes nothing.`,
  extension: true,
  permission: write,
  waits: true,
  params,
  responses: {
    200: { schema: BulkOperation, description: 'It is undone.', example: undoneExample },
    202: {
      schema: BulkOperation,
      description: 'A job restores the findings.',
      example: {
        ...undoneExample,
        status: 'undoing',
        percent: 0,
        undo: { ...undoneExample.undo, restored: 0, passed_over: 0, completed_at: null },
      },
    },
  },
  errors: ['not_found', 'conflict'],
  handler: async ({ actor, params: { id }, request, reply, context, transaction }) => {
    const { orgId, userId } = actor;
    const readOperation = (db: Db) => requireOperation(db, orgId, id).then(operationView);
    const operation = await transaction(async (tx) => {
      const row = await requireOperation(tx, orgId, id);
      const work = (await lockOperation(tx, orgId, id))!;
      if (work.isUndoable) {
        await beginUndo(tx, orgId, id, userId);
        const details = { updated: work.updated };
        await recordAudit(tx, orgId, {
          actor: auditActor(actor),
          action: 'findings.update_undone',
          target: { id },
          details,
        });
        if (work.updated <= maxAtOnce) while (await doNextBatch(tx, orgId, id));
        else await enqueue(tx, operationJobType, { org_id: orgId, operation_id: id }, { key: operationKey(orgId, id) });
      } else if (work.status !== 'undoing' && work.status !== 'undone') refuseUndo(row);
      const after = await readOperation(tx);
      reply.code(after.status === 'undoing' ? 202 : 200);
      return after;
    });
    if (operation.status !== 'undoing') return operation;
    const readAgain = () => readOperation(autocommit(context.database, orgId));
    return waitAsPreferred(request, reply, operation, readAgain, ({ status }) => status !== 'undoing');
  },
});

export const bulkRoutes = [updateRoute, list, get, undo];
