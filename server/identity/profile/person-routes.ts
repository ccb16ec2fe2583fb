import { defineRoute } from '../../context.ts';
import { auditActor, findAuditedAccount, recordAccountAudit } from '../../organization/audit.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import { invalid } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/actor.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { findSessionBearer, isReachedBy, readSessionCookie, sessionBearerRefusal } from '../library/session.ts';
import { findUser, listMemberships, type Membership, updateUserName } from '../queries.ts';
import { findSignIn, updateActiveOrganization } from '../session-queries.ts';
import { Profile, ProfileUpdate, profileExample, profileView } from './schema.ts';

async function readProfile(database: Database, actor: Actor, orgId = actor.orgId, refusal = actor.refusal ?? null) {
  const { userId, scopes } = actor;
  const [user, memberships] = await Promise.all([
    database.transaction(null, (tx) => findUser(tx, userId)),
    listMemberships(database, userId),
  ]);
  return profileView(user!, memberships, { orgId, scopes, refusal });
}

const getProfile = defineRoute({
  method: 'GET',
  path: '/profile',
  operationId: 'getProfile',
  tag: 'Profile',
  summary: 'Get your profile',
  description:
    'Returns the person behind the token or session, the current organization, all organizations that the person belongs to, and what the caller may do.',
  extension: true,
  permission: 'authenticated',
  anySignIn: true,
  responses: { 200: { schema: Profile, description: 'The profile.', example: profileExample } },
  errors: [],
  handler: ({ actor, context }) => readProfile(context.database, actor),
});

async function renameUser(tx: Db, actor: Actor, name: string): Promise<void> {
  const account = await findAuditedAccount(tx, actor.userId);
  const before = (await findUser(tx, actor.userId))!;
  await updateUserName(tx, actor.userId, name);
  await recordAccountAudit(tx, account, {
    actor: auditActor(actor),
    action: 'account.renamed',
    target: { id: actor.userId, name },
    before: { name: before.name },
    after: { name },
  });
}

/** Throws `invalid_request` for an organization whose administrator ended the session. */
async function requireReached(tx: Db, actor: Actor, membership: Membership): Promise<void> {
  const signIn = await findSignIn(tx, actor.credentialId);
  if (signIn && isReachedBy(membership, signIn.signedInAt)) return;
  const message = 'does not accept this session any more: an administrator ended it there. Sign out, and sign in again';
  throw invalid('body', 'organization_id', message);
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
  anySignIn: true,
  body: ProfileUpdate,
  requestExample: { organization_id: profileExample.organization.id },
  responses: { 200: { schema: Profile, description: 'The updated profile.', example: profileExample } },
  errors: [],
  handler: async ({ actor, body, context, request, transaction }) => {
    const memberships = await listMemberships(context.database, actor.userId);
    const chosenId = body.organization_id ?? actor.orgId;
    const chosen = memberships.find(({ org_id }) => org_id === chosenId);
    if (!chosen) throw invalid('body', 'organization_id', 'must be the id of an organization that you belong to');
    await transaction(async (tx) => {
      if (body.organization_id !== undefined) await requireReached(tx, actor, chosen);
      if (body.name !== undefined) await renameUser(tx, actor, body.name);
      if (body.organization_id !== undefined) await updateActiveOrganization(tx, actor.credentialId, chosen.org_id);
      await announceAuthenticationChange(tx);
    });
    const { auth } = context.identity;
    const bearer = await findSessionBearer(auth, context.database, readSessionCookie(request)!);
    const refusal = bearer ? sessionBearerRefusal(bearer, actor.address) : null;
    return readProfile(context.database, actor, chosen.org_id, refusal);
  },
});

export const personRoutes = [getProfile, updateProfile];
