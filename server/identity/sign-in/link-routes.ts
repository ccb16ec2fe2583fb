import { defineRoute } from '../../context.ts';
import { findAuditedAccount, recordAccountAudit } from '../../organization/audit.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import { hashInvitationToken as hashLinkToken } from '../../organization/invitation-token.ts';
import { ApiError } from '../../platform/errors.ts';
import { enqueue } from '../../platform/jobs.ts';
import { recordOwnAccount } from '../account-audit.ts';
import { requireEmail } from '../create-user.ts';
import { checkPassword, hashPassword } from '../password.ts';
import { replacePassword } from '../password-queries.ts';
import { findUser, updateUserEmail } from '../queries.ts';
import { withLink } from './invitation-routes.ts';
import { deleteLinksOf, findLink, takeLink } from './link-queries.ts';
import { sendEmailChange, sendPasswordReset } from './mail-jobs.ts';
import { outside } from './outside.ts';
import { ConfirmedEmail, LinkRequest, PasswordReset, PasswordResetRequest } from './schema.ts';

const worthless = () =>
  new ApiError(
    'not_found',
    'This link is no longer valid: it was used or replaced, or has expired. Ask for a new one.',
  );

const tokenExample = 'n3yD8sJq0m5c2Vb7Xk1Rz9Tf4Gh6Lp0Wa8Ue2Io5Qs7';

const requestPasswordReset = defineRoute({
  ...outside,
  method: 'POST',
  path: '/auth/request-password-reset',
  operationId: 'requestPasswordReset',
  summary: 'Ask for a link for a new password',
  description:
    'Mails a link to `/reset-password` that works once within an hour. The response is the same whether the address has an account or not.',
  body: PasswordResetRequest,
  requestExample: { email: 'ada@example.com' },
  responses: { 202: { description: 'Accepted: if there is such an account, the mail is on its way.' } },
  errors: ['rate_limited'],
  handler: async ({ body, context: { identity }, request }) => {
    const email = requireEmail(body.email);
    await identity.guesses.limitMails(request.ip);
    // Silently: another person may have asked.
    if (!(await identity.guesses.mayMail(`password ${email}`))) return;
    await identity.database.transaction(null, (tx) => enqueue(tx, sendPasswordReset, { email }));
  },
});

const resetPassword = defineRoute({
  ...outside,
  method: 'POST',
  path: '/auth/reset-password',
  operationId: 'resetPassword',
  summary: 'Set a new password by a link',
  description:
    'Ends all sessions of the person, and signs nobody in: a second factor is still needed at the next sign-in. A refused password leaves the link open.',
  body: PasswordReset,
  requestExample: { token: tokenExample, new_password: 'another horse battery' },
  responses: { 204: { description: 'The password is set.' } },
  errors: ['not_found', 'rate_limited'],
  handler: ({ body, context: { identity }, request }) =>
    withLink(identity, request, async () => {
      const { database } = identity;
      const tokenHash = hashLinkToken(body.token);
      const open = await database.transaction(null, (tx) => findLink(tx, 'password', tokenHash));
      if (!open) throw worthless();
      checkPassword(body.new_password, { field: 'new_password', email: open.email });
      const passwordHash = await hashPassword(body.new_password);
      await database.transaction(null, async (tx) => {
        const account = await findAuditedAccount(tx, open.user_id);
        const link = await takeLink(tx, 'password', tokenHash);
        if (!link) throw worthless();
        await replacePassword(tx, link.user_id, passwordHash);
        await announceAuthenticationChange(tx);
        await recordOwnAccount(tx, account, { address: request.ip }, 'account.password_recovered');
      });
    }),
});

const confirmEmail = defineRoute({
  ...outside,
  method: 'POST',
  path: '/auth/confirm-email',
  operationId: 'confirmEmail',
  summary: 'Confirm a new email address by a link',
  description: 'From now on the person signs in with it. The former address gets a mail. Sessions stay.',
  body: LinkRequest,
  requestExample: { token: tokenExample },
  responses: {
    200: { schema: ConfirmedEmail, description: 'The new address.', example: { email: 'ada@example.com' } },
  },
  errors: ['not_found', 'already_exists', 'rate_limited'],
  handler: ({ body, context: { identity }, request }) =>
    withLink(identity, request, () =>
      identity.database.transaction(null, async (tx) => {
        const tokenHash = hashLinkToken(body.token);
        const open = await findLink(tx, 'email', tokenHash);
        if (!open) throw worthless();
        const account = await findAuditedAccount(tx, open.user_id);
        const link = await takeLink(tx, 'email', tokenHash);
        if (!link) throw worthless();
        const { user_id: userId, email } = link;
        const user = (await findUser(tx, userId))!;
        if (!(await updateUserEmail(tx, userId, email))) {
          throw new ApiError('already_exists', 'Another person now uses this address. Choose another one.');
        }
        await deleteLinksOf(tx, userId);
        await announceAuthenticationChange(tx);
        await recordAccountAudit(tx, account, {
          actor: { userId, tokenId: null, address: request.ip },
          action: 'account.email_changed',
          target: { id: userId, name: user.name },
          before: { email: user.email },
          after: { email },
        });
        await enqueue(tx, sendEmailChange, { email: user.email, new_email: email });
        return { email };
      }),
    ),
});

export const linkRoutes = [requestPasswordReset, resetPassword, confirmEmail];
