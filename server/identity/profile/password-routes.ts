import { defineRoute } from '../../context.ts';
import { auditActor, findAuditedAccount } from '../../organization/audit.ts';
import { recordOwnAccount } from '../account-audit.ts';
import { noticeAccount } from '../account-notices.ts';
import { endFurtherAccess } from '../accounts/end-further-access.ts';
import { hashPasswordOf } from '../accounts/hash-password-of.ts';
import { continueSession } from '../continue-session.ts';
import { passCookies, startSession } from '../library/call-library.ts';
import { wrongField } from '../library/refusal.ts';
import { checkPassword, verifyPassword } from '../password.ts';
import { replacePassword } from '../password-queries.ts';
import { findPassword } from '../queries.ts';
import { findSignIn } from '../session-queries.ts';
import { PasswordChange } from './schema.ts';

const changePassword = defineRoute({
  method: 'PUT',
  path: '/profile/password',
  operationId: 'changePassword',
  tag: 'Profile',
  summary: 'Change your password',
  description:
    'Ends all your other sessions, and renews the cookie of this one. API tokens and passkeys stay unless you say otherwise.',
  extension: true,
  permission: 'session',
  anySignIn: true,
  sensitive: true,
  body: PasswordChange,
  requestExample: { current_password: 'correct horse battery', new_password: 'another horse battery' },
  responses: { 204: { description: 'Changed.' } },
  errors: [],
  handler: async ({ actor, body, context: { identity }, request, reply }) => {
    const { database } = identity;
    const { email, hash } = await findPassword(database, actor.userId);
    checkPassword(body.new_password, { field: 'new_password', email });
    await identity.guesses.attemptInSession(actor.credentialId, async () => {
      if (hash !== null && (await verifyPassword(hash, body.current_password))) return;
      throw wrongField('current_password', 'is not your password');
    });
    const passwordHash = await hashPasswordOf(database, email, body.new_password);
    const signIn = await database.transaction(null, async (tx) => {
      const account = await findAuditedAccount(tx, actor.userId);
      const former = await findSignIn(tx, actor.credentialId);
      await replacePassword(tx, actor.userId, passwordHash);
      await recordOwnAccount(tx, account, auditActor(actor), 'account.password_changed');
      await noticeAccount(tx, 'password_changed', actor);
      await endFurtherAccess(tx, account, body, { actor: auditActor(actor), because: 'password changed' });
      return former;
    });
    const started = await startSession(identity.auth, request, actor.userId);
    await database.transaction(null, (tx) => continueSession(tx, signIn, started));
    passCookies(reply, started);
  },
});

export const passwordRoutes = [changePassword];
