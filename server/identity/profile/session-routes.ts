import Type from 'typebox';
import { defineRoute } from '../../context.ts';
import { auditActor } from '../../organization/audit.ts';
import { notFound } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { enumeration, idOf, nullable, page, pageParameters, time } from '../../platform/http/schema.ts';
import { isId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { formatTime } from '../../platform/times.ts';
import { type ChangedAccount, changeAccount } from '../account-changes/change-account.ts';
import { recordOwnAccount } from '../account-changes/record-own-account.ts';
import { type FailedSignInRow, listFailedSignIns } from '../failed-sign-ins/failed-sign-in-queries.ts';
import { type FailedMethod, failedMethods } from '../failed-sign-ins/failed-sign-ins.ts';
import { deleteOtherSessions, deleteSessionOf, listSessions, type SessionRow } from '../session-queries.ts';
import { SessionPage, sessionExample, sessionView } from './schema.ts';

const FailedSignIn = Type.Object(
  {
    address: nullable(Type.String(), {
      description: 'The address from which it was tried; null for the attempts from many further addresses together.',
    }),
    methods: Type.Array(enumeration(failedMethods, { $id: 'FailedSignInMethod' }), {
      description:
        'The ways that were tried. `confirmation`: the password or code that an action of a signed-in person asks for again.',
    }),
    attempts: Type.Integer({ minimum: 1 }),
    first_at: time('The first of these attempts.'),
    last_at: time('The last of these attempts.'),
  },
  { $id: 'FailedSignIn' },
);

const example = {
  address: '203.0.113.7',
  methods: ['password' as const],
  attempts: 3,
  first_at: '2026-01-31T09:30:00Z',
  last_at: '2026-01-31T09:31:12Z',
};

const view = ({ address, methods, attempts, first_at, last_at }: FailedSignInRow) => ({
  address: address || null,
  methods: methods as FailedMethod[],
  attempts,
  first_at: formatTime(first_at),
  last_at: formatTime(last_at),
});

const failedSignIns = defineRoute({
  method: 'GET',
  path: '/profile/failed-sign-ins',
  operationId: 'listFailedSignIns',
  tag: 'Profile',
  summary: 'List failed sign-ins',
  description:
    'Returns the attempts of the last 30 days to sign in as you that failed, newest first: one entry for each hour and address, and at most some 200. New attempts appear within seconds.',
  extension: true,
  permission: 'session',
  query: pageParameters,
  responses: {
    200: {
      schema: page(FailedSignIn, 'FailedSignIn'),
      description: 'A page of failed sign-ins.',
      example: { data: [example], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor: { orgId, userId }, query, context }) => {
    const binding = { operation: 'listFailedSignIns', orgId, filters: { user: userId } };
    const position = query.next_cursor === undefined ? null : context.cursors.decode(binding, query.next_cursor);
    const after = position && { moment: String(position[0]), address: String(position[1]) };
    const statement = listFailedSignIns(userId, { limit: query.limit, after });
    const rows = await context.database.single<FailedSignInRow>(null, statement);
    const { data, next_cursor } = pageOf(rows, query.limit, context.cursors, binding, (row) => [
      row.moment,
      row.address,
    ]);
    return { data: data.map(view), next_cursor };
  },
});

export const failedSignInRoutes = [failedSignIns];

const shared = { tag: 'Profile', extension: true, permission: 'session', ofAccount: true, anySignIn: true } as const;

const recordEnd = (tx: Db, account: ChangedAccount, actor: Actor, sessions: string[]) =>
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
  handler: ({ actor, params, context: { database }, transaction }) =>
    changeAccount({ database, transaction }, actor.userId, async (tx, account) => {
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
  handler: ({ actor, context: { database }, transaction }) =>
    changeAccount({ database, transaction }, actor.userId, async (tx, account) => {
      const ended = await deleteOtherSessions(tx, actor.userId, actor.credentialId);
      if (ended.length > 0) await recordEnd(tx, account, actor, ended);
    }),
});

export const sessionRoutes = [list, remove, removeOthers];
