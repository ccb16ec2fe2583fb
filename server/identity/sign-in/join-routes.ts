import type { FastifyRequest } from 'fastify';
import { defineRoute } from '../../context.ts';
import { ApiError, invalid } from '../../platform/errors.ts';
import { UnsealError } from '../../platform/sealed.ts';
import { formatTime } from '../../platform/times.ts';
import { joinAccounts, listOtherAccounts } from '../accounts/join-accounts.ts';
import { acceptsSessionOf, findSessionPerson, requireOwnPassword, type SessionPerson } from '../library/session.ts';
import { listMemberships } from '../queries.ts';
import type { IdentityServices } from '../services.ts';
import { findSessionStart } from '../session-queries.ts';
import { outside } from './outside.ts';
import { requireRecentSignIn } from './recent-sign-in.ts';
import { AccountJoin, JoinCode, OtherAccounts, personExample, RecentPassword } from './schema.ts';

const codeValidMs = 10 * 60_000;
const place = ['join code'];

type Code = { userId: string; sessionId: string; expires: number };

/**
 * Returns the person of a request's session, even without an organization. Throws `unauthenticated` without a
 * session, and `password_change_required` for a session with a generated password.
 */
async function requireSession(identity: IdentityServices, request: FastifyRequest): Promise<SessionPerson> {
  const session = await findSessionPerson(identity.auth, request);
  if (!session) throw new ApiError('unauthenticated', 'Sign in first.');
  requireOwnPassword(session);
  return session;
}

/** Throws `unauthenticated` for a session that an administrator ended for this member. */
async function requireCurrentSession({ database }: IdentityServices, { userId, signedInAt }: SessionPerson) {
  const memberships = await listMemberships(database, userId);
  if (memberships.some((membership) => !acceptsSessionOf(membership, signedInAt))) {
    throw new ApiError('unauthenticated', 'An administrator ended this session. Sign in again.');
  }
}

const asActor = ({ userId, sessionId }: { userId: string; sessionId: string }) => ({ userId, credentialId: sessionId });

const listAccountsRoute = defineRoute({
  ...outside,
  method: 'GET',
  path: '/auth/accounts',
  operationId: 'listOtherAccounts',
  summary: 'List the other accounts of your address',
  description:
    'Returns the accounts that organizations made for your verified address before it was verified there. Join each from a session of it.',
  responses: {
    200: {
      schema: OtherAccounts,
      description: 'The accounts.',
      example: { data: [{ id: personExample.id, name: personExample.name, organizations: ['Example Inc.'] }] },
    },
  },
  errors: ['unauthenticated', 'password_change_required'],
  handler: async ({ context: { identity }, request }) => {
    const { userId } = await requireSession(identity, request);
    const accounts = await identity.database.transaction(null, (tx) => listOtherAccounts(tx, userId));
    const views = accounts.map(async ({ id, name }) => {
      const memberships = await listMemberships(identity.database, id);
      return { id, name, organizations: memberships.map((membership) => membership.name) };
    });
    return { data: await Promise.all(views) };
  },
});

const createCode = defineRoute({
  ...outside,
  method: 'POST',
  path: '/auth/accounts/join-code',
  operationId: 'createJoinCode',
  summary: 'Get a code to join an account into this one',
  description:
    'Returns a code that works once within 10 minutes, while this session lasts: enter it in a session of the other account. Needs a sign-in of the last 15 minutes, or your `password`.',
  body: RecentPassword,
  requestExample: {},
  responses: {
    200: {
      schema: JoinCode,
      description: 'The code.',
      example: { code: 's1.abc.def', expires_at: '2026-01-31T09:40:00Z' },
    },
  },
  errors: ['unauthenticated', 'password_change_required', 'recent_sign_in_required', 'rate_limited'],
  handler: async ({ body, context: { identity }, request }) => {
    const session = await requireSession(identity, request);
    await requireRecentSignIn(identity, asActor(session), body.password);
    const { userId, sessionId } = session;
    const code: Code = { userId, sessionId, expires: Date.now() + codeValidMs };
    return {
      code: identity.keyring.seal(JSON.stringify(code), place),
      expires_at: formatTime(new Date(code.expires)),
    };
  },
});

const unusable = () => invalid('body', 'code', 'is not valid: it was used, or is older than 10 minutes. Get a new one');

/** Returns the account that created the code, if the session of its creation still exists. */
async function readCode(identity: IdentityServices, text: string): Promise<string> {
  try {
    const code: Code = JSON.parse(identity.keyring.open(text, place));
    if (code.expires < Date.now() || !(await findSessionStart(identity.database, code.sessionId))) throw unusable();
    return code.userId;
  } catch (error) {
    throw error instanceof UnsealError ? unusable() : error;
  }
}

const join = defineRoute({
  ...outside,
  method: 'POST',
  path: '/auth/accounts/join',
  operationId: 'joinAccounts',
  summary: 'Join this account into another one of yours',
  description:
    'Moves the membership, the private views and the ownership of data sources of this account, whose address is not verified, to the account that made the `code`. The API tokens and sessions of this one end, and nobody signs in to it again. Needs a sign-in of the last 15 minutes, or the `password` of this account.',
  body: AccountJoin,
  requestExample: { code: 's1.abc.def' },
  responses: { 204: { description: 'Joined.' } },
  errors: ['unauthenticated', 'password_change_required', 'recent_sign_in_required', 'conflict', 'rate_limited'],
  handler: async ({ body, context: { identity }, request }) => {
    const session = await requireSession(identity, request);
    await requireCurrentSession(identity, session);
    await requireRecentSignIn(identity, asActor(session), body.password);
    const intoId = await readCode(identity, body.code);
    if (!(await identity.guesses.isFirstUse('join code', body.code, codeValidMs / 1_000))) throw unusable();
    await joinAccounts(identity.database, { fromId: session.userId, intoId }, request.ip);
  },
});

export const joinRoutes = [listAccountsRoute, createCode, join];
