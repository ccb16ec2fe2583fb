import { defineRoute } from '../../context.ts';
import { ApiError, invalid } from '../../platform/errors.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import { findAccountById } from '../accounts/account-queries.ts';
import { requireEmail } from '../create-user.ts';
import { sendAddressVerification, sendEmailConfirmation } from '../sign-in/mail-jobs.ts';
import { requireRecentSignIn } from '../sign-in/recent-sign-in.ts';
import { EmailChange } from './schema.ts';

const changeEmail = defineRoute({
  method: 'POST',
  path: '/profile/email',
  operationId: 'changeEmail',
  tag: 'Profile',
  summary: 'Change your email address',
  description:
    'Mails a link to the new address. The address changes when you follow it, within 24 hours and signed in. With your own address, when it is not verified yet, the link verifies it: you choose a new password there. Needs a sign-in of the last 15 minutes, or your `password`.',
  extension: true,
  permission: 'session',
  body: EmailChange,
  requestExample: { email: 'ada.lovelace@example.com', password: 'correct horse battery' },
  responses: { 202: { description: 'Accepted: the mail is on its way.' } },
  errors: ['recent_sign_in_required'],
  handler: async ({ actor, body, context: { identity }, transaction }) => {
    await requireRecentSignIn(identity, actor, body.password);
    const email = requireEmail(body.email);
    const account = await identity.database.transaction(null, (tx) => findAccountById(tx, actor.userId));
    const isCurrent = email === account?.email;
    if (isCurrent && account.verified) throw invalid('body', 'email', 'is your address already');
    if (!(await identity.guesses.mayMail(`email ${actor.userId}`))) {
      throw new ApiError('rate_limited', 'Too many emails for new addresses. Wait ten minutes and try again.', {
        headers: { 'Retry-After': '600' },
      });
    }
    const { userId: user_id } = actor;
    return transaction((tx) =>
      isCurrent
        ? enqueue(tx, sendAddressVerification, { user_id })
        : enqueue(tx, sendEmailConfirmation, { user_id, email }),
    );
  },
});

export const emailRoutes = [changeEmail];
