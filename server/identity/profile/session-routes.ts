import { defineRoute } from '../../context.ts';
import { type AuditedAccount, auditActor, findAuditedAccount } from '../../organization/audit.ts';
import { notFound } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { idOf, pageParameters } from '../../platform/http/schema.ts';
import { isId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { recordOwnAccount } from '../account-audit.ts';
import { deleteOtherSessions, deleteSessionOf, listSessions, type SessionRow } from '../session-queries.ts';
import { SessionPage, sessionExample, sessionView } from './schema.ts';

const shared = { tag: 'Profile', extension: true, permission: 'session', anySignIn: true } as const;

const recordEnd = (tx: Db, account: AuditedAccount, actor: Actor, sessions: string[]) =>
  recordOwnAccount(tx, account, auditActor(actor), 'account.session_ended', { sessions });

const list = defineRoute({
  ...shared,
  method: 'GET',
  path: '/profile/sessions',
  operationId: 'listSessions',
  summary: 'List your sessions',
  description: 'Returns the browsers in which you are signed in, newest first.',
  query: pageParameters,
  responses: {
    200: {
      schema: SessionPage,
      description: 'A page of sessions.',
      example: { data: [sessionExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor, query, context }) => {
    const binding = { operation: 'listSessions', orgId: actor.orgId, filters: { user: actor.userId } };
    const before = query.next_cursor === undefined ? null : context.cursors.decode(binding, query.next_cursor);
    const beforeId = (before?.[0] as string | undefined) ?? null;
    const statement = listSessions(actor.userId, { limit: query.limit, beforeId });
    const rows = await context.database.single<SessionRow>(null, statement);
    const { data, next_cursor } = pageOf(rows, query.limit, context.cursors, binding, (row) => [row.id]);
    return { data: data.map((row) => sessionView(row, actor.credentialId)), next_cursor };
  },
});

const remove = defineRoute({
  ...shared,
  method: 'DELETE',
  path: '/profile/sessions/{id}',
  operationId: 'deleteSession',
  summary: 'End a session',
  description: 'Signs that browser out on every node, from its next request on.',
  params: { id: idOf('ses') },
  responses: { 204: { description: 'Ended.' } },
  errors: [],
  handler: ({ actor, params, transaction }) =>
    transaction(async (tx) => {
      const account = await findAuditedAccount(tx, actor.userId);
      const ended = isId('ses', params.id) && (await deleteSessionOf(tx, actor.userId, params.id));
      if (!ended) throw notFound('Session');
      await recordEnd(tx, account, actor, [params.id]);
    }),
});

const removeOthers = defineRoute({
  ...shared,
  method: 'DELETE',
  path: '/profile/sessions',
  operationId: 'deleteOtherSessions',
  summary: 'End all other sessions',
  description: 'Signs you out everywhere else.',
  responses: { 204: { description: 'Ended.' } },
  errors: [],
  handler: ({ actor, transaction }) =>
    transaction(async (tx) => {
      const account = await findAuditedAccount(tx, actor.userId);
      const ended = await deleteOtherSessions(tx, actor.userId, actor.credentialId);
      if (ended.length > 0) await recordEnd(tx, account, actor, ended);
    }),
});

export const sessionRoutes = [list, remove, removeOthers];
