import { defineRoute } from '../../context.ts';
import { auditActor } from '../../organization/audit.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { idOf, pageParameters } from '../../platform/http/schema.ts';
import { isId } from '../../platform/id.ts';
import { requireRoom } from '../../platform/limits.ts';
import { readTime, timeExpectation } from '../../platform/times.ts';
import { noticeAccount } from '../account-notices.ts';
import { issueToken, revokeToken } from '../issue-token.ts';
import { requireRecentSignIn } from '../sign-in/recent-sign-in.ts';
import { countValidTokens, listTokensOfUser, type TokenRow } from '../token-queries.ts';
import { ApiTokenCreation, ApiTokenPage, NewApiToken, tokenExample, tokenView } from './schema.ts';

const listTokens = defineRoute({
  method: 'GET',
  path: '/profile/tokens',
  operationId: 'listTokens',
  tag: 'Profile',
  summary: 'List your API tokens',
  description: 'Returns your tokens of the current organization that were not revoked, newest first.',
  extension: true,
  permission: 'session',
  query: pageParameters,
  responses: {
    200: {
      schema: ApiTokenPage,
      description: 'A page of tokens.',
      example: { data: [tokenExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor, query, context }) => {
    const binding = { operation: 'listTokens', orgId: actor.orgId, filters: { user: actor.userId } };
    const before = query.next_cursor === undefined ? null : context.cursors.decode(binding, query.next_cursor);
    const beforeId = (before?.[0] as string | undefined) ?? null;
    const statement = listTokensOfUser(actor.orgId, actor.userId, { limit: query.limit, beforeId });
    const rows = await context.database.single<TokenRow>(actor.orgId, statement);
    const { data, next_cursor } = pageOf(rows, query.limit, context.cursors, binding, (row) => [row.id]);
    return { data: data.map(tokenView), next_cursor };
  },
});

/** Throws `invalid_request` for an invalid time. Null and undefined mean that the token never expires. */
function readExpiry(text: string | null | undefined): Date | null {
  if (text === null || text === undefined) return null;
  const expiresAt = readTime(text);
  if (expiresAt === null) throw invalid('body', 'expires_at', timeExpectation);
  return expiresAt;
}

const createToken = defineRoute({
  method: 'POST',
  path: '/profile/tokens',
  operationId: 'createToken',
  tag: 'Profile',
  summary: 'Create an API token',
  description:
    'Creates a token for you in the current organization. The token itself is returned only here. Needs a sign-in of the last 15 minutes, or your `password`. You may have 50 valid tokens in an organization, or as many as the operator allows.',
  extension: true,
  permission: 'session',
  sensitive: true,
  body: ApiTokenCreation,
  requestExample: { name: tokenExample.name, scopes: tokenExample.scopes, expires_at: tokenExample.expires_at },
  responses: {
    201: {
      schema: NewApiToken,
      description: 'The new token, in clear text.',
      example: { ...tokenExample, token: 'asy_…' },
    },
  },
  errors: ['recent_sign_in_required', 'limit_reached'],
  handler: async ({ actor, body, context, transaction }) => {
    await requireRecentSignIn(context.identity, actor, body.password);
    return transaction(async (tx) => {
      const expiresAt = readExpiry(body.expires_at);
      const wanted = { userId: actor.userId, name: body.name, scopes: body.scopes ?? null, expiresAt };
      const limited = {
        kind: 'tokens',
        owner: actor.userId,
        max: context.limits.tokens,
        what: 'API tokens of a person in an organization',
      };
      await requireRoom(tx, actor.orgId, limited, () => countValidTokens(tx, actor.orgId, actor.userId));
      const issued = await issueToken(tx, actor.orgId, wanted, auditActor(actor));
      await noticeAccount(tx, 'token_created', actor);
      return { ...tokenView(issued), token: issued.token };
    });
  },
});

const deleteToken = defineRoute({
  method: 'DELETE',
  path: '/profile/tokens/{id}',
  operationId: 'deleteToken',
  tag: 'Profile',
  summary: 'Revoke an API token',
  description: 'Takes effect with the next request, on every node.',
  extension: true,
  permission: 'session',
  params: { id: idOf('tok') },
  responses: { 204: { description: 'Revoked.' } },
  errors: [],
  handler: ({ actor, params, transaction }) =>
    transaction(async (tx) => {
      const by = auditActor(actor);
      const revoked = isId('tok', params.id) && (await revokeToken(tx, actor.orgId, params.id, actor.userId, by));
      if (!revoked) throw notFound('Token');
    }),
});

export const tokenRoutes = [listTokens, createToken, deleteToken];
