import Type from 'typebox';
import { type Context, defineRoute } from '../../context.ts';
import { auditActor, recordAudit } from '../../organization/audit.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import { changerOf, requireId, write } from '../../organization/caller.ts';
import { type Changer, changeMemberRole, findChangeable } from '../../organization/change-member.ts';
import { handOver, newInvitationExample, returnsLink } from '../../organization/invitation-routes.ts';
import { invitePerson } from '../../organization/invite-person.ts';
import type { Role } from '../../organization/roles.ts';
import { Member, memberExample, memberView, NewInvitation, roleSchema } from '../../organization/schema.ts';
import { notFound } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { email, idOf, pageParameters } from '../../platform/http/schema.ts';
import { autocommit, type Db } from '../../platform/postgres/database.ts';
import { revokeToken } from '../issue-token.ts';
import { ApiTokenPage, SessionPage, sessionExample, sessionView, tokenExample, tokenView } from '../profile/schema.ts';
import { listMemberships } from '../queries.ts';
import { listSessions, type SessionRow } from '../session-queries.ts';
import { requirePasswordOrRecentSignIn } from '../sign-in/recent-sign-in.ts';
import { passwordInput } from '../sign-in/schema.ts';
import { listTokensOfUser, type TokenRow } from '../token-queries.ts';
import { deleteSessionsOf } from '../user-access/user-access-queries.ts';
import { findMemberAccess, updateSessionsFrom } from './queries.ts';

/**
 * Ends the sessions of a member for this organization only; a person of several organizations keeps access to the
 * others. Throws `not_found`, and `forbidden` for a member above the role of `changer`.
 */
async function endSessionsOfMember(tx: Db, orgId: string, changer: Changer, userId: string): Promise<void> {
  const { member } = await findChangeable(tx, orgId, changer, userId);
  const former = await findMemberAccess(tx, orgId, userId);
  const sessionsFrom = await updateSessionsFrom(tx, orgId, userId);
  await announceAuthenticationChange(tx);
  await recordAudit(tx, orgId, {
    actor: changer,
    action: 'member.sessions_ended',
    target: { id: userId, name: member.name },
    before: { sessions_from: former?.sessions_from ?? null },
    after: { sessions_from: sessionsFrom },
  });
}

/** The audit log shows the same about members, to the same people. */
const read = { role: 'admin', scope: 'organization:read' } as const;

const shared = { tag: 'Organization', extension: true } as const;
const memberId = { id: idOf('usr') };

const MemberUpdate = Type.Object(
  {
    role: roleSchema,
    password: Type.Optional(passwordInput('Your password: needed to make an owner, where you have one.')),
  },
  { $id: 'MemberUpdate' },
);

/**
 * Owners can give the organization away, so a session needs the person's password or a recent sign-in to make someone
 * an owner.
 */
async function requireConsent(context: Context, actor: Actor, role: Role, password: string | undefined): Promise<void> {
  if (role === 'owner' && actor.kind === 'session')
    await requirePasswordOrRecentSignIn(context.identity, actor, password);
}

const updateMember = defineRoute({
  ...shared,
  method: 'PATCH',
  path: '/organization/members/{id}',
  operationId: 'updateMember',
  summary: 'Change a member’s role',
  description:
    'In a session, making an owner needs your `password`; without a password, a sign-in of the last 15 minutes. You cannot change a member above your own role, or raise a member above it. The last owner stays an owner. Takes effect with the next request. Open invitations that the member made and that their new role does not allow are revoked.',
  permission: write,
  params: memberId,
  body: MemberUpdate,
  requestExample: { role: 'admin' },
  responses: { 200: { schema: Member, description: 'The updated member.', example: memberExample } },
  errors: ['conflict', 'recent_sign_in_required'],
  handler: async ({ actor, params, body, context, transaction }) => {
    const userId = requireId('usr', params.id, 'Member');
    const { role, password } = body;
    await requireConsent(context, actor, role, password);
    return transaction(async (tx) =>
      memberView(await changeMemberRole(tx, actor.orgId, changerOf(actor), userId, role)),
    );
  },
});

const InvitationCreation = Type.Object(
  {
    email: email('The address of the person to invite.', 254),
    role: Type.Optional(roleSchema),
    password: Type.Optional(passwordInput('Your password: needed to invite an owner, where you have one.')),
  },
  { $id: 'InvitationCreation' },
);

const createInvitation = defineRoute({
  method: 'POST',
  path: '/organization/invitations',
  operationId: 'createInvitation',
  tag: 'Organization',
  summary: 'Invite a person',
  description:
    'Mails a link that can be used once within 7 days, and replaces a pending invitation of the same address. You cannot invite with a role above your own. In a session, inviting an owner needs your `password`; without a password, a sign-in of the last 15 minutes. Where no mail server is configured, the response contains the link instead.',
  permission: write,
  sensitive: returnsLink,
  body: InvitationCreation,
  requestExample: { email: newInvitationExample.email, role: 'analyst' },
  responses: { 201: { schema: NewInvitation, description: 'The invitation.', example: newInvitationExample } },
  errors: ['already_exists', 'recent_sign_in_required'],
  handler: async ({ actor, body, context, transaction }) => {
    const { email: address, role = 'analyst', password } = body;
    await requireConsent(context, actor, role, password);
    return transaction(async (tx) => {
      const invitation = await invitePerson(tx, actor.orgId, changerOf(actor), { email: address, role });
      return handOver(tx, actor.orgId, invitation, context);
    });
  },
});

const listTokens = defineRoute({
  ...shared,
  method: 'GET',
  path: '/organization/members/{id}/tokens',
  operationId: 'listMemberTokens',
  summary: 'List the API tokens of a member',
  description: 'Returns the member’s tokens of this organization that were not revoked, newest first.',
  permission: read,
  params: memberId,
  query: pageParameters,
  responses: {
    200: {
      schema: ApiTokenPage,
      description: 'A page of tokens.',
      example: { data: [tokenExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor, params, query, context }) => {
    const userId = requireId('usr', params.id, 'Member');
    const binding = { operation: 'listMemberTokens', orgId: actor.orgId, filters: { user: userId } };
    const before = query.next_cursor === undefined ? null : context.cursors.decode(binding, query.next_cursor);
    const beforeId = (before?.[0] as string | undefined) ?? null;
    const rows = await context.database.transaction(actor.orgId, async (tx) => {
      if (!(await findMemberAccess(tx, actor.orgId, userId))) throw notFound('Member');
      const statement = listTokensOfUser(actor.orgId, userId, { limit: query.limit, beforeId });
      return (await tx.query<TokenRow>(statement)).rows;
    });
    const { data, next_cursor } = pageOf(rows, query.limit, context.cursors, binding, (row) => [row.id]);
    return { data: data.map(tokenView), next_cursor };
  },
});

const deleteToken = defineRoute({
  ...shared,
  method: 'DELETE',
  path: '/organization/members/{id}/tokens/{token_id}',
  operationId: 'deleteMemberToken',
  summary: 'Revoke an API token of a member',
  description:
    'Takes effect with the next request, on every node. You cannot revoke the token of a member above your own role.',
  permission: write,
  params: { ...memberId, token_id: idOf('tok') },
  responses: { 204: { description: 'Revoked.' } },
  errors: [],
  handler: ({ actor, params, transaction }) =>
    transaction(async (tx) => {
      const userId = requireId('usr', params.id, 'Member');
      const tokenId = requireId('tok', params.token_id, 'Token');
      await findChangeable(tx, actor.orgId, changerOf(actor), userId);
      if (!(await revokeToken(tx, actor.orgId, tokenId, userId, auditActor(actor)))) throw notFound('Token');
    }),
});

const listSessionsRoute = defineRoute({
  ...shared,
  method: 'GET',
  path: '/organization/members/{id}/sessions',
  operationId: 'listMemberSessions',
  summary: 'List the sessions of a member',
  description:
    'Returns the browsers in which the member is signed in and that reach this organization, newest first: a person of several organizations works in each of them with the same session.',
  permission: read,
  params: memberId,
  query: pageParameters,
  responses: {
    200: {
      schema: SessionPage,
      description: 'A page of sessions.',
      example: { data: [{ ...sessionExample, is_current: false }], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor, params, query, context }) => {
    const userId = requireId('usr', params.id, 'Member');
    const binding = { operation: 'listMemberSessions', orgId: actor.orgId, filters: { user: userId } };
    const before = query.next_cursor === undefined ? null : context.cursors.decode(binding, query.next_cursor);
    const beforeId = (before?.[0] as string | undefined) ?? null;
    const access = await findMemberAccess(autocommit(context.database, actor.orgId), actor.orgId, userId);
    if (!access) throw notFound('Member');
    const page = { limit: query.limit, beforeId, signedInFrom: access.sessions_from };
    const rows = access.reaches ? await context.database.single<SessionRow>(null, listSessions(userId, page)) : [];
    const { data, next_cursor } = pageOf(rows, query.limit, context.cursors, binding, (row) => [row.id]);
    return { data: data.map((row) => sessionView(row, actor.credentialId)), next_cursor };
  },
});

const endSessions = defineRoute({
  ...shared,
  method: 'DELETE',
  path: '/organization/members/{id}/sessions',
  operationId: 'endMemberSessions',
  summary: 'End the sessions of a member',
  description:
    'Signs the member out of this organization on every node, from the next request on; they can sign in again. Sessions of a person of several organizations still reach the others. You cannot end the sessions of a member above your own role.',
  permission: write,
  params: memberId,
  responses: { 204: { description: 'Ended.' } },
  errors: [],
  handler: async ({ actor, params, context: { database }, transaction }) => {
    const userId = requireId('usr', params.id, 'Member');
    const memberships = await listMemberships(database, userId);
    await transaction((tx) => endSessionsOfMember(tx, actor.orgId, changerOf(actor), userId));
    // The member's sessions reach no other organization.
    if (memberships.length === 1 && memberships[0]!.org_id === actor.orgId)
      await database.transaction(null, (tx) => deleteSessionsOf(tx, userId));
  },
});

export const memberAccessRoutes = [
  createInvitation,
  updateMember,
  listTokens,
  deleteToken,
  listSessionsRoute,
  endSessions,
];
