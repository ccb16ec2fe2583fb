import { defineRoute } from '../../context.ts';
import { auditActor, recordAudit } from '../../organization/audit.ts';
import { isAtLeast, type Role } from '../../organization/roles.ts';
import { ApiError, errorCode, invalid, notFound } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { idOf, pageParameters } from '../../platform/http/schema.ts';
import { isId, newId } from '../../platform/id.ts';
import { requireRoom } from '../../platform/limits.ts';
import { autocommit, type Db } from '../../platform/postgres/database.ts';
import { readFilters } from '../filters/read.ts';
import { requireFilterOf } from '../listing/list-order.ts';
import {
  countViews,
  deleteView,
  findView,
  insertView,
  listViews,
  lockView,
  updateView,
  type ViewFields,
  type ViewRow,
} from './queries.ts';
import { View, ViewCreation, ViewPage, ViewUpdate, viewExample, viewOf } from './view-schema.ts';

const tag = 'Views';
const params = { id: idOf('view') };
const read = { role: 'viewer', scope: 'findings:read' } as const;
const write = { role: 'viewer', scope: 'findings:write' } as const;

/** Only its owner may change a private view; the owner and admins may change a shared one. */
const mayEdit = (actor: Actor, view: ViewRow) =>
  view.owner?.id === actor.userId || (view.shared && isAtLeast(actor.role as Role, 'admin'));

const viewFor = (actor: Actor, row: ViewRow) => viewOf(row, mayEdit(actor, row));

function requireToShare(actor: Actor): void {
  if (isAtLeast(actor.role as Role, 'analyst')) return;
  throw new ApiError(
    'forbidden',
    `Shared views need the role analyst or above; yours is ${actor.role}. Save the view as a private one.`,
  );
}

/**
 * Locks a view for a change. Throws 404 for a view that the caller can't see, and 403 for one that they may not change.
 */
async function requireEditable(tx: Db, actor: Actor, id: string): Promise<ViewRow> {
  const view = isId('view', id) ? await lockView(tx, actor.orgId, actor.userId, id) : undefined;
  if (!view) throw notFound('View');
  if (!mayEdit(actor, view)) {
    throw new ApiError(
      'forbidden',
      'Only its owner and admins may change a shared view. Save a view of your own instead.',
    );
  }
  return view;
}

/** Throws 400 for a view whose filter has an error that the schema does not detect. */
const checkFilter = (tx: Db, actor: Actor, filter: ViewFields['filter']) =>
  readFilters(tx, actor, filter, { refuse: (field, message) => invalid('body', `filter.${field}`, message) });

/** Throws 400 for a view whose order needs a filter that it does not have. */
function checkSort({ filter, sort }: ViewFields): void {
  if (sort) requireFilterOf(sort, filter, (message) => invalid('body', 'sort', message));
}

/** Runs `save` and returns the view. Throws 409 for a name that another view has. */
async function save(tx: Db, actor: Actor, id: string, view: ViewFields, run: () => Promise<void>): Promise<ViewRow> {
  try {
    await run();
  } catch (error) {
    if (errorCode(error) !== '23505') throw error;
    const which = view.shared ? 'a shared view' : 'one of your private views';
    throw new ApiError('already_exists', `name: ${which} has this name. Choose another.`, { cause: error });
  }
  return (await findView(tx, actor.orgId, actor.userId, id))!;
}

/** Throws 409 if the limit of views of this kind is reached. */
function requireRoomFor(tx: Db, { orgId, userId }: Actor, shared: boolean, max: number): Promise<void> {
  const limited = shared
    ? { kind: 'shared views', max, what: 'shared views' }
    : { kind: 'views', owner: userId, max, what: 'private views of a person' };
  return requireRoom(tx, orgId, limited, () => countViews(tx, orgId, shared ? null : userId));
}

const stateOf = ({ name, shared, filter, sort, columns }: ViewFields) => ({ name, shared, filter, sort, columns });

/** Changes of shared views are in the audit log, since they affect everybody. Private views leave no trace. */
async function recordShared(tx: Db, actor: Actor, before: ViewRow | null, after: ViewRow | null): Promise<void> {
  if (!before?.shared && !after?.shared) return;
  const { id, name } = (after ?? before)!;
  const changed = !after?.shared ? 'view.unshared' : before?.shared ? 'view.updated' : 'view.shared';
  await recordAudit(tx, actor.orgId, {
    actor: auditActor(actor),
    action: after ? changed : 'view.deleted',
    target: { id, name },
    before: before?.shared ? stateOf(before) : null,
    after: after ? stateOf(after) : null,
  });
}

const list = defineRoute({
  method: 'GET',
  path: '/views',
  operationId: 'listViews',
  tag,
  summary: 'List views',
  description: 'Returns the shared views of the organization and your private ones, oldest first.',
  extension: true,
  permission: read,
  query: pageParameters,
  responses: {
    200: {
      schema: ViewPage,
      description: 'A page of views.',
      example: { data: [viewExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor, query: { limit, next_cursor: cursor }, context }) => {
    const binding = { operation: 'listViews', orgId: actor.orgId, filters: { user: actor.userId } };
    const afterId = cursor === undefined ? '' : String(context.cursors.decode(binding, cursor)[0]);
    const db = autocommit(context.database, actor.orgId);
    const rows = await listViews(db, actor.orgId, actor.userId, { afterId, limit: limit + 1 });
    const { data, next_cursor } = pageOf(rows, limit, context.cursors, binding, (row) => [row.id]);
    return { data: data.map((row) => viewFor(actor, row)), next_cursor };
  },
});

const create = defineRoute({
  method: 'POST',
  path: '/views',
  operationId: 'createView',
  tag,
  summary: 'Save a view',
  description: `Saves filters of the list of findings under a name, with an order and columns: for you alone, or with \`shared\` for the organization (role \`analyst\`). Filters that depend on who asks, such as \`assignee\` \`me\`, are kept as they are. A person may have 200 private views and an organization 200 shared ones, or as many as the operator allows.`,
  extension: true,
  permission: write,
  body: ViewCreation,
  requestExample: { name: viewExample.name, filter: viewExample.filter, sort: viewExample.sort },
  responses: { 201: { schema: View, description: 'The new view.', example: viewExample } },
  errors: ['already_exists', 'limit_reached'],
  handler: ({ actor, body, context, transaction }) =>
    transaction(async (tx) => {
      const view = { shared: false, sort: null, columns: null, ...body };
      if (view.shared) requireToShare(actor);
      checkSort(view);
      await checkFilter(tx, actor, view.filter);
      await requireRoomFor(tx, actor, view.shared, context.limits.views);
      const id = newId('view');
      const row = await save(tx, actor, id, view, () => insertView(tx, actor.orgId, actor.userId, id, view));
      await recordShared(tx, actor, null, row);
      return viewFor(actor, row);
    }),
});

const update = defineRoute({
  method: 'PATCH',
  path: '/views/{id}',
  operationId: 'updateView',
  tag,
  summary: 'Change a view',
  description:
    'Replaces the fields in the body; `filter` as a whole. A private view may be changed by its owner only, a shared one by its owner and by admins. Only its owner can make it private again.',
  extension: true,
  permission: write,
  params,
  body: ViewUpdate,
  requestExample: { name: viewExample.name, filter: viewExample.filter },
  responses: {
    200: {
      schema: View,
      description: 'The changed view.',
      example: viewExample,
    },
  },
  errors: ['already_exists', 'limit_reached'],
  handler: ({ actor, params: { id }, body, context, transaction }) =>
    transaction(async (tx) => {
      const before = await requireEditable(tx, actor, id);
      const { name, shared, filter, sort, columns } = { ...before, ...body };
      const view = { name, shared, filter, sort, columns };
      if (view.shared) requireToShare(actor);
      else if (before.owner?.id !== actor.userId)
        throw new ApiError('forbidden', 'Only its owner can make a shared view private. You may delete it.');
      checkSort(view);
      if (body.filter) await checkFilter(tx, actor, body.filter);
      if (view.shared !== before.shared) await requireRoomFor(tx, actor, view.shared, context.limits.views);
      const row = await save(tx, actor, id, view, () => updateView(tx, actor.orgId, id, view));
      await recordShared(tx, actor, before, row);
      return viewFor(actor, row);
    }),
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/views/{id}',
  operationId: 'deleteView',
  tag,
  summary: 'Delete a view',
  description: 'Deletes a view: a private one by its owner, a shared one by its owner or an admin. Findings stay.',
  extension: true,
  permission: write,
  params,
  responses: { 204: { description: 'The view is deleted.' } },
  errors: [],
  handler: ({ actor, params: { id }, transaction }) =>
    transaction(async (tx) => {
      const view = await requireEditable(tx, actor, id);
      await deleteView(tx, actor.orgId, id);
      await recordShared(tx, actor, view, null);
    }),
});

export const viewRoutes = [list, create, update, remove];
