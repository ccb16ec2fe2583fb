import type { FastifyRequest } from 'fastify';
import { defineRoute } from '../../context.ts';
import { ApiError } from '../../platform/errors.ts';
import { formatTime } from '../../platform/times.ts';
import { findSessionPerson, requireOwnPassword } from '../library/session.ts';
import type { IdentityServices } from '../services.ts';
import { acceptInvitation, previewInvitation } from './accept-invitation.ts';
import { personView } from './identified-sign-in.ts';
import { outside } from './outside.ts';
import {
  AcceptedInvitation,
  acceptedInvitationExample,
  InvitationAcceptance,
  InvitationPreview,
  invitationPreviewExample,
  LinkRequest,
} from './schema.ts';

/** Runs the action of a link's token. Wrong tokens count as failed authentications of the address. */
export async function withLink<T>(
  { failedAuthentications }: IdentityServices,
  request: FastifyRequest,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await failedAuthentications.lookUp(request.ip, run);
  } catch (error) {
    const isWrongToken = error instanceof ApiError && error.code === 'not_found';
    throw isWrongToken ? await failedAuthentications.refuse(request.ip, error) : error;
  }
}

const tokenExample = 'n3yD8sJq0m5c2Vb7Xk1Rz9Tf4Gh6Lp0Wa8Ue2Io5Qs7';

const readInvitation = defineRoute({
  ...outside,
  method: 'POST',
  path: '/auth/invitation',
  operationId: 'readInvitation',
  summary: 'Read an invitation',
  description: 'Returns the content of the page behind an invitation link. It does not accept the invitation.',
  body: LinkRequest,
  requestExample: { token: tokenExample },
  responses: {
    200: { schema: InvitationPreview, description: 'The open invitation.', example: invitationPreviewExample },
  },
  errors: ['not_found', 'rate_limited'],
  handler: ({ body, context: { identity }, request }) =>
    withLink(identity, request, async () => {
      const session = await findSessionPerson(identity.auth, request);
      const { expires_at, ...preview } = await previewInvitation(identity.database, body.token, session?.userId);
      return { ...preview, expires_at: formatTime(expires_at) };
    }),
});

const acceptInvitationRoute = defineRoute({
  ...outside,
  method: 'POST',
  path: '/auth/accept-invitation',
  operationId: 'acceptInvitation',
  summary: 'Accept an invitation',
  description:
    'With a `password`, makes an account with it that is a member. Without one, the account that the browser is signed in to becomes a member: it must have the invited address, verified. A link that went only by mail verifies the address of a new account; any other makes an account for this organization only, whatever other accounts the address has. The link works once and does not sign the person in.',
  body: InvitationAcceptance,
  requestExample: { token: tokenExample, name: 'Grace Hopper', password: 'correct horse battery' },
  responses: {
    201: { schema: AcceptedInvitation, description: 'The new member.', example: acceptedInvitationExample },
  },
  errors: ['not_found', 'already_exists', 'password_change_required', 'rate_limited'],
  handler: ({ body, context: { identity }, request }) =>
    withLink(identity, request, async () => {
      const { token, ...person } = body;
      const session = await findSessionPerson(identity.auth, request);
      if (session && person.password === undefined) requireOwnPassword(session);
      const by = { ...person, userId: session?.userId, address: request.ip };
      const { user, organizationId, role } = await acceptInvitation(identity.database, token, by);
      return { user: personView(user), organization_id: organizationId, role };
    }),
});

export const invitationRoutes = [readInvitation, acceptInvitationRoute];
