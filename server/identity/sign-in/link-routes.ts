import { defineRoute } from '../../context.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import { hashInvitationToken as hashLinkToken } from '../../organization/invitation-token.ts';
import { ApiError, invalid } from '../../platform/errors.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { type ChangedAccount, changeAccount, recordAccountAudit } from '../account-changes/change-account.ts';
import { recordOwnAccount } from '../account-changes/record-own-account.ts';
import { noticeAccount } from '../account-notices.ts';
import {
  type Account,
  findAccountById,
  lockAccount,
  updateUnverifiedEmail,
  updateVerifiedEmail,
} from '../accounts/account-queries.ts';
import { claimAccount } from '../accounts/claim-account.ts';
import { endFurtherAccess } from '../accounts/end-further-access.ts';
import { hashPasswordOf } from '../accounts/hash-password-of.ts';
import { requireEmail } from '../create-user.ts';
import { findSessionPerson, requireOwnPassword, type SessionPerson } from '../library/session.ts';
import { checkPassword } from '../password.ts';
import { replacePassword } from '../password-queries.ts';
import { withLink } from './invitation-routes.ts';
import { deleteLinksOf, findLink, type Link, type LinkKind, takeLink } from './link-queries.ts';
import { sendEmailChange, sendPasswordReset } from './mail-jobs.ts';
import { outside } from './outside.ts';
import { ConfirmedEmail, EmailConfirmation, PasswordReset, PasswordResetRequest } from './schema.ts';

const worthless = () =>
  new ApiError(
    'not_found',
    'This link is no longer valid: it was used or replaced, or has expired. Ask for a new one.',
  );

/** Finds an open link and its account. Throws `not_found`. */
async function findOpenLink(database: Database, kind: LinkKind, tokenHash: Buffer) {
  return database.transaction(null, async (tx) => {
    const link = await findLink(tx, kind, tokenHash);
    const account = link && (await findAccountById(tx, link.user_id));
    if (!account) throw worthless();
    return { link, account };
  });
}

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
    // There is no error: another person may have sent the request.
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
    'Ends all sessions of the account, and signs nobody in: a second factor is still needed at the next sign-in. API tokens and passkeys stay unless you say otherwise. A refused password leaves the link open. An account whose address was never verified becomes that of the person who followed the mailed link: all earlier ways to sign in to it end.',
  body: PasswordReset,
  requestExample: { token: tokenExample, new_password: 'another horse battery' },
  responses: { 204: { description: 'The password is set.' } },
  errors: ['not_found', 'rate_limited'],
  handler: ({ body, context: { identity }, request }) =>
    withLink(identity, request, async () => {
      const { database } = identity;
      const tokenHash = hashLinkToken(body.token);
      const { link: open, account } = await findOpenLink(database, 'password', tokenHash);
      checkPassword(body.new_password, { field: 'new_password', email: open.email });
      const passwordHash = await hashPasswordOf(database, open.email, body.new_password);
      await changeAccount({ database }, account.id, async (tx, changed) => {
        const current = await lockAccount(tx, account.id);
        const link = await takeLink(tx, 'password', tokenHash);
        if (!link || !current) throw worthless();
        if (!current.verified && link.mailed) {
          await claimAccount(tx, changed, current, { email: link.email, passwordHash, address: request.ip });
        } else await replacePassword(tx, link.user_id, passwordHash);
        await announceAuthenticationChange(tx);
        await recordOwnAccount(tx, changed, { address: request.ip }, 'account.password_recovered');
        await noticeAccount(tx, 'password_changed', { userId: account.id, address: request.ip });
        const actor = { userId: account.id, tokenId: null, address: request.ip };
        await endFurtherAccess(tx, changed, body, { actor, because: 'password reset' });
      });
    }),
});

const taken = () => new ApiError('already_exists', 'Another person now uses this address. Choose another one.');

/** A stranger who follows the link must not give the address to the account of the person who requested it. */
const notSignedIn = () =>
  new ApiError('unauthenticated', 'Sign in to the account that gets this address, and open the link again.');

/** Changes the account's address. `passwordHash` is null when none was chosen. */
async function changeEmail(
  tx: Db,
  changed: ChangedAccount,
  account: Account,
  link: Link,
  by: { passwordHash: string | null; session: SessionPerson | undefined; address: string },
): Promise<void> {
  const { id } = account;
  if (!account.verified && link.mailed) {
    if (by.passwordHash === null)
      throw invalid('body', 'new_password', 'is needed: the account then belongs to you only');
    if (!(await claimAccount(tx, changed, account, { ...by, email: link.email }))) throw taken();
    return;
  }
  if (by.session?.userId !== id) throw notSignedIn();
  requireOwnPassword(by.session);
  if (!link.mailed && account.verified) throw new ApiError('conflict', 'This needs a mail server (SMTP_URL).');
  const isChanged = account.verified
    ? await updateVerifiedEmail(tx, id, link.email)
    : await updateUnverifiedEmail(tx, id, link.email);
  if (!isChanged) throw taken();
}

const confirmEmail = defineRoute({
  ...outside,
  method: 'POST',
  path: '/auth/confirm-email',
  operationId: 'confirmEmail',
  summary: 'Confirm a new email address by a link',
  description:
    'The person signs in with the new address from now on. Needs a session of the account. The former address gets a mail. Sessions stay. An account whose address was never verified needs a `new_password` instead: all earlier ways to sign in to it end.',
  body: EmailConfirmation,
  requestExample: { token: tokenExample },
  responses: {
    200: { schema: ConfirmedEmail, description: 'The new address.', example: { email: 'ada@example.com' } },
  },
  errors: ['not_found', 'already_exists', 'conflict', 'unauthenticated', 'password_change_required', 'rate_limited'],
  handler: ({ body, context: { identity }, request }) =>
    withLink(identity, request, async () => {
      const { database } = identity;
      const tokenHash = hashLinkToken(body.token);
      const { link: open, account } = await findOpenLink(database, 'email', tokenHash);
      const session = await findSessionPerson(identity.auth, request);
      const { new_password: password } = body;
      if (password !== undefined) checkPassword(password, { field: 'new_password', email: open.email });
      const passwordHash = password === undefined ? null : await hashPasswordOf(database, open.email, password);
      return changeAccount({ database }, account.id, async (tx, changed) => {
        const current = await lockAccount(tx, account.id);
        const link = await takeLink(tx, 'email', tokenHash);
        if (!link || !current) throw worthless();
        const by = { passwordHash, session, address: request.ip };
        await changeEmail(tx, changed, current, link, by);
        await deleteLinksOf(tx, current.id);
        await announceAuthenticationChange(tx);
        await recordAccountAudit(tx, changed, {
          actor: { userId: current.id, tokenId: null, address: request.ip },
          action: 'account.email_changed',
          target: { id: current.id, name: current.name },
          before: { email: current.email },
          after: { email: link.email },
        });
        await enqueue(tx, sendEmailChange, { email: current.email, new_email: link.email });
        return { email: link.email };
      });
    }),
});

export const linkRoutes = [requestPasswordReset, resetPassword, confirmEmail];
