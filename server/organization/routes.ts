import { defineRoute } from '../context.ts';
import { notFound } from '../platform/errors.ts';
import type { Actor } from '../platform/http/actor.ts';
import { pageOf } from '../platform/http/cursor.ts';
import { idOf, pageParameters } from '../platform/http/schema.ts';
import { type IdPrefix, isId } from '../platform/id.ts';
import { enqueue } from '../platform/jobs.ts';
import { auditActor } from './audit.ts';
import { type Changer, changeMemberRole, removeMember } from './change-member.ts';
import { type InvitationRow, listInvitations } from './invitation-queries.ts';
import { invitePerson, withdrawInvitation } from './invite-person.ts';
import { sendInvitation } from './jobs.ts';
import { findOrganization, listMembers, type MemberRow, type OrganizationRow } from './queries.ts';
import type { Role } from './roles.ts';
import {
  Invitation,
  InvitationCreation,
  InvitationPage,
  invitationExample,
  invitationView,
  Member,
  MemberPage,
  MemberUpdate,
  memberExample,
  memberView,
  Organization,
  organizationExample,
  organizationView,
} from './schema.ts';

const read = { role: 'viewer', scope: 'organization:read' } as const;
const write = { role: 'admin', scope: 'organization:write' } as const;

const changer = (actor: Actor): Changer => ({ ...auditActor(actor), userId: actor.userId, role: actor.role as Role });

/** Treats an id of another kind like an unknown one. */
function requireId(prefix: IdPrefix, id: string, what: string): string {
  if (!isId(prefix, id)) throw notFound(what);
  return id;
}

const getOrganization = defineRoute({
  method: 'GET',
  path: '/organization',
  operationId: 'getOrganization',
  tag: 'Organization',
  summary: 'Get the current organization',
  description: 'Returns the organization that the token belongs to, with its plan and the rate limit of its tokens.',
  permission: read,
  responses: { 200: { schema: Organization, description: 'The organization.', example: organizationExample } },
  errors: [],
  handler: async ({ actor, context }) => {
    const rows = await context.database.single<OrganizationRow>(actor.orgId, findOrganization(actor.orgId));
    return organizationView(rows[0]!, context.rateLimit);
  },
});

const listMembersRoute = defineRoute({
  method: 'GET',
  path: '/organization/members',
  operationId: 'listMembers',
  tag: 'Organization',
  summary: 'List the members',
  description: 'Returns the members of the organization, in the order in which their accounts were created.',
  permission: read,
  query: pageParameters,
  responses: {
    200: {
      schema: MemberPage,
      description: 'A page of members.',
      example: { data: [memberExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor, query, context }) => {
    const binding = { operation: 'listMembers', orgId: actor.orgId };
    const after = query.next_cursor === undefined ? null : context.cursors.decode(binding, query.next_cursor);
    const rows = await context.database.single<MemberRow>(
      actor.orgId,
      listMembers(actor.orgId, { limit: query.limit, afterId: (after?.[0] as string | undefined) ?? null }),
    );
    const { data, next_cursor } = pageOf(rows, query.limit, context.cursors, binding, (row) => [row.id]);
    return { data: data.map(memberView), next_cursor };
  },
});

const updateMember = defineRoute({
  method: 'PATCH',
  path: '/organization/members/{id}',
  operationId: 'updateMember',
  tag: 'Organization',
  summary: 'Change a member’s role',
  description:
    'You can not change a member above your own role, or raise a member above it. The last owner stays an owner. Takes effect with the next request. Open invitations that the member made and that their new role does not allow are revoked.',
  extension: true,
  permission: write,
  params: { id: idOf('usr') },
  body: MemberUpdate,
  requestExample: { role: 'admin' },
  responses: { 200: { schema: Member, description: 'The updated member.', example: memberExample } },
  errors: ['conflict'],
  handler: ({ actor, params, body, transaction }) =>
    transaction(async (tx) => {
      const userId = requireId('usr', params.id, 'Member');
      return memberView(await changeMemberRole(tx, actor.orgId, changer(actor), userId, body.role));
    }),
});

const deleteMemberRoute = defineRoute({
  method: 'DELETE',
  path: '/organization/members/{id}',
  operationId: 'deleteMember',
  tag: 'Organization',
  summary: 'Remove a member',
  description:
    'Also revokes their API tokens of this organization and the open invitations that they made. The last owner can not be removed.',
  extension: true,
  permission: write,
  params: { id: idOf('usr') },
  responses: { 204: { description: 'Removed.' } },
  errors: ['conflict'],
  handler: ({ actor, params, transaction }) =>
    transaction((tx) => removeMember(tx, actor.orgId, changer(actor), requireId('usr', params.id, 'Member'))),
});

const listInvitationsRoute = defineRoute({
  method: 'GET',
  path: '/organization/invitations',
  operationId: 'listInvitations',
  tag: 'Organization',
  summary: 'List the invitations',
  description: 'Returns all invitations in any state, newest first.',
  extension: true,
  permission: read,
  query: pageParameters,
  responses: {
    200: {
      schema: InvitationPage,
      description: 'A page of invitations.',
      example: { data: [invitationExample], next_cursor: null },
    },
  },
  errors: ['invalid_cursor'],
  handler: async ({ actor, query, context }) => {
    const binding = { operation: 'listInvitations', orgId: actor.orgId };
    const before = query.next_cursor === undefined ? null : context.cursors.decode(binding, query.next_cursor);
    const rows = await context.database.single<InvitationRow>(
      actor.orgId,
      listInvitations(actor.orgId, { limit: query.limit, beforeId: (before?.[0] as string | undefined) ?? null }),
    );
    const { data, next_cursor } = pageOf(rows, query.limit, context.cursors, binding, (row) => [row.id]);
    return { data: data.map(invitationView), next_cursor };
  },
});

const createInvitation = defineRoute({
  method: 'POST',
  path: '/organization/invitations',
  operationId: 'createInvitation',
  tag: 'Organization',
  summary: 'Invite a person',
  description:
    'Mails a link that can be used once within 7 days, and replaces a pending invitation of the same address. You can not invite with a role above your own.',
  permission: write,
  body: InvitationCreation,
  requestExample: { email: invitationExample.email, role: 'analyst' },
  responses: { 201: { schema: Invitation, description: 'The invitation.', example: invitationExample } },
  errors: ['already_exists'],
  handler: ({ actor, body, transaction }) =>
    transaction(async (tx) => {
      const wanted = { email: body.email, role: body.role ?? 'analyst' };
      const invitation = await invitePerson(tx, actor.orgId, changer(actor), wanted);
      await enqueue(tx, sendInvitation, { org_id: actor.orgId, invitation_id: invitation.id });
      return invitationView(invitation);
    }),
});

const deleteInvitation = defineRoute({
  method: 'DELETE',
  path: '/organization/invitations/{id}',
  operationId: 'deleteInvitation',
  tag: 'Organization',
  summary: 'Revoke an invitation',
  description: 'The link stops working. Returns 409 for an invitation that was accepted or revoked already.',
  extension: true,
  permission: write,
  params: { id: idOf('inv') },
  responses: { 204: { description: 'Revoked.' } },
  errors: ['conflict'],
  handler: ({ actor, params, transaction }) =>
    transaction((tx) => withdrawInvitation(tx, actor.orgId, changer(actor), requireId('inv', params.id, 'Invitation'))),
});

export const organizationRoutes = [
  getOrganization,
  listMembersRoute,
  updateMember,
  deleteMemberRoute,
  listInvitationsRoute,
  createInvitation,
  deleteInvitation,
];
