import { defineRoute } from '../../context.ts';
import { auditActor } from '../../organization/audit.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import { ApiError, invalid } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { type ChangedAccount, changeAccount, recordAccountAudit } from '../account-changes/change-account.ts';
import { recordOwnAccount } from '../account-changes/record-own-account.ts';
import { noticeAccount } from '../account-notices.ts';
import { findAccountById } from '../accounts/account-queries.ts';
import { endFurtherAccess } from '../accounts/end-further-access.ts';
import { hashPasswordOf } from '../accounts/hash-password-of.ts';
import { continueSession } from '../continue-session.ts';
import { requireEmail } from '../create-user.ts';
import { passCookies, startSession } from '../library/call-library.ts';
import { wrongField } from '../library/refusal.ts';
import { acceptsSessionOf, findSessionBearer, readSessionCookie, sessionBearerRefusal } from '../library/session.ts';
import { checkPassword, verifyPassword } from '../password.ts';
import { replacePassword } from '../password-queries.ts';
import {
  findPassword,
  findUser,
  listMemberships,
  listReachableMemberships,
  type Membership,
  updateUserName,
} from '../queries.ts';
import { findSignIn, updateActiveOrganization } from '../session-queries.ts';
import { sendAddressVerification, sendEmailConfirmation } from '../sign-in/mail-jobs.ts';
import { requireRecentSignIn } from '../sign-in/recent-sign-in.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { preferencesRoutes } from './preferences-routes.ts';
import { EmailChange, PasswordChange, Profile, ProfileUpdate, profileExample, profileView } from './schema.ts';
import { failedSignInRoutes, sessionRoutes } from './session-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { twoFactorRoutes } from './two-factor-routes.ts';

async function readProfile(database: Database, actor: Actor, orgId = actor.orgId, refusal = actor.refusal ?? null) {
  const { userId, scopes } = actor;
  const [user, { memberships }] = await Promise.all([
    database.transaction(null, (tx) => findUser(tx, userId)),
    listReachableMemberships(database, userId),
  ]);
  return profileView(user!, memberships, { orgId, scopes, refusal });
}

const getProfile = defineRoute({
  method: 'GET',
  path: '/profile',
  operationId: 'getProfile',
  tag: 'Profile',
  summary: 'Get your profile',
  description:
    'Returns the person behind the token or session, the current organization, all organizations that the person belongs to, and what the caller may do.',
  extension: true,
  permission: 'authenticated',
  anySignIn: true,
  responses: { 200: { schema: Profile, description: 'The profile.', example: profileExample } },
  errors: [],
  handler: ({ actor, context }) => readProfile(context.database, actor),
});

async function renameUser(tx: Db, account: ChangedAccount, actor: Actor, name: string): Promise<void> {
  const before = (await findUser(tx, actor.userId))!;
  await updateUserName(tx, actor.userId, name);
  await recordAccountAudit(tx, account, {
    actor: auditActor(actor),
    action: 'account.renamed',
    target: { id: actor.userId, name },
    before: { name: before.name },
    after: { name },
  });
}

/** Throws `invalid_request` for an organization whose administrator ended the session. */
async function requireAcceptedSession(tx: Db, actor: Actor, membership: Membership): Promise<void> {
  const signIn = await findSignIn(tx, actor.credentialId);
  if (signIn && acceptsSessionOf(membership, signIn.signedInAt)) return;
  const message = 'does not accept this session any more: an administrator ended it there. Sign out, and sign in again';
  throw invalid('body', 'organization_id', message);
}

const updateProfile = defineRoute({
  method: 'PATCH',
  path: '/profile',
  operationId: 'updateProfile',
  ofAccount: true,
  tag: 'Profile',
  summary: 'Change your name or organization',
  description: 'With `organization_id`, the session switches to that organization from the next request on.',
  extension: true,
  permission: 'session',
  anySignIn: true,
  body: ProfileUpdate,
  requestExample: { organization_id: profileExample.organization.id },
  responses: { 200: { schema: Profile, description: 'The updated profile.', example: profileExample } },
  errors: [],
  handler: async ({ actor, body, context, request, transaction }) => {
    const memberships = await listMemberships(context.database, actor.userId);
    const chosenId = body.organization_id ?? actor.orgId;
    const chosen = memberships.find(({ org_id }) => org_id === chosenId);
    if (!chosen) throw invalid('body', 'organization_id', 'must be the id of an organization that you belong to');
    await changeAccount({ database: context.database, transaction }, actor.userId, async (tx, account) => {
      if (body.organization_id !== undefined) await requireAcceptedSession(tx, actor, chosen);
      if (body.name !== undefined) await renameUser(tx, account, actor, body.name);
      if (body.organization_id !== undefined) await updateActiveOrganization(tx, actor.credentialId, chosen.org_id);
      await announceAuthenticationChange(tx);
    });
    const { auth } = context.identity;
    const bearer = await findSessionBearer(auth, context.database, readSessionCookie(request)!);
    const refusal = bearer ? sessionBearerRefusal(bearer, actor.address) : null;
    return readProfile(context.database, actor, chosen.org_id, refusal);
  },
});

const personRoutes = [getProfile, updateProfile];

const changeEmail = defineRoute({
  method: 'POST',
  path: '/profile/email',
  operationId: 'changeEmail',
  ofAccount: true,
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

const emailRoutes = [changeEmail];

const changePassword = defineRoute({
  method: 'PUT',
  path: '/profile/password',
  operationId: 'changePassword',
  ofAccount: true,
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
    const signIn = await changeAccount({ database }, actor.userId, async (tx, account) => {
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

const passwordRoutes = [changePassword];

export const identityRoutes = [
  ...personRoutes,
  ...emailRoutes,
  ...preferencesRoutes,
  ...passwordRoutes,
  ...twoFactorRoutes,
  ...passkeyRoutes,
  ...sessionRoutes,
  ...failedSignInRoutes,
  ...tokenRoutes,
];
