import { type Context, defineRoute } from '../context.ts';
import { pageOf } from '../platform/http/cursor.ts';
import { idOf, pageParameters } from '../platform/http/schema.ts';
import type { Db } from '../platform/postgres/database.ts';
import { changerOf, read, requireId, write } from './caller.ts';
import { type InvitationRow, listInvitations, openInvitationForMail } from './invitation-queries.ts';
import { createInvitationToken, hashInvitationToken, invitationLink } from './invitation-token.ts';
import { resendInvitation, withdrawInvitation } from './invite-person.ts';
import { enqueueInvitation } from './jobs.ts';
import { InvitationPage, invitationExample, invitationView, NewInvitation } from './schema.ts';

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

/** Whether the response contains the link, because no mail server is configured. */
export const returnsLink = ({ identity }: Context) => !identity.sendsMail;

/** Enqueues the mail with the link of an invitation, or returns the link if mail is not configured. */
export async function handOver(tx: Db, orgId: string, invitation: InvitationRow, context: Context) {
  if (!returnsLink(context)) {
    await enqueueInvitation(tx, orgId, invitation.id);
    return { ...invitationView(invitation), url: null };
  }
  const token = createInvitationToken();
  await openInvitationForMail(tx, orgId, invitation.id, { tokenHash: hashInvitationToken(token), mailed: false });
  return { ...invitationView(invitation), url: invitationLink(context.identity.baseUrl, token) };
}

export const newInvitationExample = { ...invitationExample, url: null };

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
    transaction((tx) =>
      withdrawInvitation(tx, actor.orgId, changerOf(actor), requireId('inv', params.id, 'Invitation')),
    ),
});

const resend = defineRoute({
  method: 'POST',
  path: '/organization/invitations/{id}/resend',
  operationId: 'resendInvitation',
  tag: 'Organization',
  summary: 'Send an invitation again',
  description:
    'Creates a new link, valid for 7 days, for an invitation that is pending or has expired. The old link stops working. Where no mail server is configured, the response contains the link. Returns 409 for an invitation that was accepted or revoked.',
  extension: true,
  permission: write,
  sensitive: returnsLink,
  params: { id: idOf('inv') },
  responses: { 200: { schema: NewInvitation, description: 'The invitation.', example: newInvitationExample } },
  errors: ['conflict', 'already_exists'],
  handler: ({ actor, params, context, transaction }) =>
    transaction(async (tx) => {
      const id = requireId('inv', params.id, 'Invitation');
      const invitation = await resendInvitation(tx, actor.orgId, changerOf(actor), id);
      return handOver(tx, actor.orgId, invitation, context);
    }),
});

export const invitationRoutes = [listInvitationsRoute, resend, deleteInvitation];
