import { defineRoute } from '../context.ts';
import { auditActor, recordAccountAudit } from '../organization/audit.ts';
import { announceAuthenticationChange } from '../organization/authentication-changes.ts';
import { invalid, notFound } from '../platform/errors.ts';
import type { Actor } from '../platform/http/actor.ts';
import { pageOf } from '../platform/http/cursor.ts';
import { idOf, pageParameters } from '../platform/http/schema.ts';
import { isId } from '../platform/id.ts';
import type { Database, Db } from '../platform/postgres/database.ts';
import { readTime, timeExpectation } from '../platform/times.ts';
import { issueToken, revokeToken } from './issue-token.ts';
import { findUser, listMemberships, updateActiveOrganization, updateUserName } from './queries.ts';
import {
  ApiTokenCreation,
  ApiTokenPage,
  NewApiToken,
  Profile,
  ProfileUpdate,
  profileExample,
  profileView,
  tokenExample,
  tokenView,
} from './schema.ts';
import { listTokensOfUser, type TokenRow } from './token-queries.ts';

async function readProfile(database: Database, userId: string, orgId: string) {
  const [user, memberships] = await Promise.all([
    database.transaction(null, (tx) => findUser(tx, userId)),
    listMemberships(database, userId),
  ]);
  return profileView(user!, memberships, orgId);
}

const getProfile = defineRoute({
  method: 'GET',
  path: '/profile',
  operationId: 'getProfile',
  tag: 'Profile',
  summary: 'Get your profile',
  description:
    'Returns the signed-in person, the current organization, and all organizations that the person belongs to.',
  extension: true,
  permission: 'session',
  responses: { 200: { schema: Profile, description: 'The profile.', example: profileExample } },
  errors: [],
  handler: ({ actor, context }) => readProfile(context.database, actor.userId, actor.orgId),
});

async function renameUser(tx: Db, actor: Actor, name: string): Promise<void> {
  const before = (await findUser(tx, actor.userId))!;
  await updateUserName(tx, actor.userId, name);
  await recordAccountAudit(tx, actor.userId, {
    actor: auditActor(actor),
    action: 'account.renamed',
    target: { id: actor.userId, name },
    before: { name: before.name },
    after: { name },
  });
}

const updateProfile = defineRoute({
  method: 'PATCH',
  path: '/profile',
  operationId: 'updateProfile',
  tag: 'Profile',
  summary: 'Change your name or organization',
  description: 'With `organization_id`, the session switches to that organization from the next request on.',
  extension: true,
  permission: 'session',
  body: ProfileUpdate,
  requestExample: { organization_id: profileExample.organization.id },
  responses: { 200: { schema: Profile, description: 'The updated profile.', example: profileExample } },
  errors: [],
  handler: async ({ actor, body, context, transaction }) => {
    const memberships = await listMemberships(context.database, actor.userId);
    const chosenId = body.organization_id ?? actor.orgId;
    const chosen = memberships.find(({ org_id }) => org_id === chosenId);
    if (!chosen) throw invalid('body', 'organization_id', 'must be the id of an organization that you belong to');
    await transaction(async (tx) => {
      if (body.name !== undefined) await renameUser(tx, actor, body.name);
      if (body.organization_id !== undefined) await updateActiveOrganization(tx, actor.credentialId, chosen.org_id);
      await announceAuthenticationChange(tx);
    });
    return readProfile(context.database, actor.userId, chosen.org_id);
  },
});

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

/** Throws `invalid_request` for what is no time; null and undefined are a token that never expires. */
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
  description: 'Creates a token for you in the current organization. The token itself is returned only here.',
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
  errors: [],
  handler: ({ actor, body, transaction }) =>
    transaction(async (tx) => {
      const expiresAt = readExpiry(body.expires_at);
      const wanted = { userId: actor.userId, name: body.name, scopes: body.scopes ?? null, expiresAt };
      const issued = await issueToken(tx, actor.orgId, wanted, auditActor(actor));
      return { ...tokenView(issued), token: issued.token };
    }),
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

export const identityRoutes = [getProfile, updateProfile, listTokens, createToken, deleteToken];
