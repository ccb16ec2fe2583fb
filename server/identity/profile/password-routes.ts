import { defineRoute } from '../../context.ts';
import { auditActor, findAuditedAccount } from '../../organization/audit.ts';
import { recordOwnAccount } from '../account-audit.ts';
import { continueSession } from '../continue-session.ts';
import { checkPassword } from '../password.ts';
import { deleteTrustedBrowsers, endInitialPassword } from '../password-queries.ts';
import { findPassword } from '../queries.ts';
import { findSignIn } from '../session-queries.ts';
import { callLibrary, passCookies } from '../sign-in/library.ts';
import { refusalOf } from '../sign-in/refusal.ts';
import { PasswordChange } from './schema.ts';

const changePassword = defineRoute({
  method: 'PUT',
  path: '/profile/password',
  operationId: 'changePassword',
  tag: 'Profile',
  summary: 'Change your password',
  description: 'Ends all your other sessions, and renews the cookie of this one. API tokens stay valid.',
  extension: true,
  permission: 'session',
  anySignIn: true,
  sensitive: true,
  body: PasswordChange,
  requestExample: { current_password: 'correct horse battery', new_password: 'another horse battery' },
  responses: { 204: { description: 'Changed.' } },
  errors: [],
  handler: async ({ actor, body, context: { identity }, request, reply }) => {
    const { email } = await findPassword(identity.database, actor.userId);
    checkPassword(body.new_password, { field: 'new_password', email });
    await identity.guesses.attemptInSession(actor.credentialId, async () => {
      const signIn = await identity.database.transaction(null, (tx) => findSignIn(tx, actor.credentialId));
      const response = await callLibrary(identity.auth, request, '/change-password', {
        currentPassword: body.current_password,
        newPassword: body.new_password,
        revokeOtherSessions: true,
      });
      if (!response.ok) throw refusalOf(response, 'current_password');
      passCookies(reply, response);
      await identity.database.transaction(null, async (tx) => {
        const account = await findAuditedAccount(tx, actor.userId);
        await continueSession(tx, signIn, response);
        await endInitialPassword(tx, actor.userId);
        await deleteTrustedBrowsers(tx, actor.userId);
        await recordOwnAccount(tx, account, auditActor(actor), 'account.password_changed');
      });
    });
  },
});

export const passwordRoutes = [changePassword];
