import { defineRoute } from '../context.ts';
import { pageOf } from '../platform/http/cursor.ts';
import { idOf, pageParameters } from '../platform/http/schema.ts';
import { auditActor, recordAudit } from './audit.ts';
import { changerOf, read, requireId, write } from './caller.ts';
import { removeMember } from './change-member.ts';
import { invitationRoutes } from './invitation-routes.ts';
import {
  findOrganization,
  listMembers,
  lockMembership,
  type MemberRow,
  type OrganizationRow,
  updateOrganizationName,
} from './queries.ts';
import {
  MemberPage,
  memberExample,
  memberView,
  Organization,
  OrganizationUpdate,
  organizationExample,
  organizationView,
} from './schema.ts';

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

const updateOrganization = defineRoute({
  method: 'PATCH',
  path: '/organization',
  operationId: 'updateOrganization',
  tag: 'Organization',
  summary: 'Rename the organization',
  description: 'Changes the name. The plan and the rate limit are set by the operator.',
  extension: true,
  permission: write,
  body: OrganizationUpdate,
  requestExample: { name: 'Example Inc.' },
  responses: { 200: { schema: Organization, description: 'The organization.', example: organizationExample } },
  errors: [],
  handler: ({ actor, body, context, transaction }) =>
    transaction(async (tx) => {
      await lockMembership(tx, actor.orgId);
      const find = async () => (await tx.query<OrganizationRow>(findOrganization(actor.orgId))).rows[0]!;
      const before = await find();
      const { name = before.name } = body;
      await updateOrganizationName(tx, actor.orgId, name);
      await recordAudit(tx, actor.orgId, {
        actor: auditActor(actor),
        action: 'organization.updated',
        target: { id: actor.orgId, name },
        before: { name: before.name },
        after: { name },
      });
      return organizationView(await find(), context.rateLimit);
    }),
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

const deleteMemberRoute = defineRoute({
  method: 'DELETE',
  path: '/organization/members/{id}',
  operationId: 'deleteMember',
  tag: 'Organization',
  summary: 'Remove a member',
  description:
    'Also revokes their API tokens of this organization and the open invitations that they made. The last owner cannot be removed.',
  extension: true,
  permission: write,
  params: { id: idOf('usr') },
  responses: { 204: { description: 'Removed.' } },
  errors: ['conflict'],
  handler: ({ actor, params, transaction }) =>
    transaction((tx) => removeMember(tx, actor.orgId, changerOf(actor), requireId('usr', params.id, 'Member'))),
});

export const organizationRoutes = [
  getOrganization,
  updateOrganization,
  listMembersRoute,
  deleteMemberRoute,
  ...invitationRoutes,
];
