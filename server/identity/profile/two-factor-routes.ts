import { createOTP } from '@better-auth/utils/otp';
import { generateRandomString, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { defineRoute } from '../../context.ts';
import { auditActor } from '../../organization/audit.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import { ApiError, invalid } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { changeAccount } from '../account-changes/change-account.ts';
import { recordFactorChange } from '../account-changes/record-own-account.ts';
import { endFurtherAccess } from '../accounts/end-further-access.ts';
import { continueSession } from '../continue-session.ts';
import { callLibrary, passCookies, renewSession } from '../library/call-library.ts';
import { refusalOf, wrongField } from '../library/refusal.ts';
import { findPassword, findUser } from '../queries.ts';
import type { IdentityServices } from '../services.ts';
import { findSignIn, forgetSecondFactor } from '../session-queries.ts';
import { requirePassword } from '../sign-in/recent-sign-in.ts';
import { createRecoveryCodes, hashRecoveryCode, hashRecoveryCodes } from '../two-factor/recovery-codes.ts';
import {
  confirmPendingFactor,
  deleteFactor,
  findPendingSecret,
  putPendingFactor,
  updateRecoveryCodes,
} from '../two-factor/two-factor-queries.ts';
import {
  PasswordConfirmation,
  RecoveryCodes,
  TwoFactorCode,
  TwoFactorRemoval,
  TwoFactorSetup,
  twoFactorSetupExample,
} from './schema.ts';

const settings = { digits: 6, period: 30 };

/** Creates a secret for an authenticator, both for storage and for the person. */
async function createSecret({ auth }: IdentityServices, email: string) {
  const secret = generateRandomString(32);
  const uri = createOTP(secret, settings).url('Assay', email);
  const { secretConfig: key } = await auth.$context;
  return {
    stored: await symmetricEncrypt({ key, data: secret }),
    uri,
    shown: new URL(uri).searchParams.get('secret')!,
  };
}

const wrongCode = () => wrongField('code', 'is wrong or no longer valid');

/**
 * Requires a correct code of the pending second factor, used for the first time. A wrong code counts against the
 * session.
 */
async function requirePendingCode(identity: IdentityServices, actor: Actor, code: string): Promise<string> {
  const secret = await findPendingSecret(identity.database, actor.userId);
  if (secret === undefined) throw invalid('body', 'code', 'has expired: set up the second factor again');
  const { secretConfig: key } = await identity.auth.$context;
  const otp = createOTP(await symmetricDecrypt({ key, data: secret }), settings);
  await identity.guesses.attemptInSession(actor.credentialId, async () => {
    const digits = code.replaceAll(/\s/g, '');
    if (!(await otp.verify(digits)) || !(await identity.guesses.isFirstUse(actor.userId, digits))) throw wrongCode();
  });
  return secret;
}

/**
 * Requires a code of the active second factor, or a recovery code, which is then used up. Does nothing for a person
 * without a second factor. A wrong code counts against the session.
 */
async function requireSecondFactor(
  identity: IdentityServices,
  { actor, request }: { actor: Actor; request: FastifyRequest },
  code: string | undefined,
): Promise<void> {
  const { auth, database, guesses } = identity;
  const user = await database.transaction(null, (tx) => findUser(tx, actor.userId));
  if (!user?.two_factor_enabled) return;
  if (code === undefined) {
    throw invalid('body', 'code', 'is needed: a code of your authenticator, or a recovery code');
  }
  const text = code.replaceAll(/\s/g, '');
  const isRecoveryCode = !/^\d{6}$/.test(text);
  await guesses.attemptInSession(actor.credentialId, async () => {
    const response = isRecoveryCode
      ? await callLibrary(auth, request, '/two-factor/verify-backup-code', {
          code: hashRecoveryCode(text),
          disableSession: true,
        })
      : await callLibrary(auth, request, '/two-factor/verify-totp', { code: text });
    if (!response.ok) throw response.status === 401 ? wrongCode() : refusalOf(response, 'code');
    if (!isRecoveryCode && !(await guesses.isFirstUse(actor.userId, text))) throw wrongCode();
  });
  if (!isRecoveryCode) return;
  await changeAccount({ database }, actor.userId, (tx, account) =>
    recordFactorChange(tx, account, actor.address, 'recovery_code_used'),
  );
}

const notSetUp = () =>
  new ApiError('invalid_request', 'The second factor is off. Set it up first, with POST /profile/two-factor.');

const shared = {
  tag: 'Profile',
  extension: true,
  permission: 'session',
  ofAccount: true,
  anySignIn: true,
  sensitive: true,
} as const;
const passwordExample = { password: 'correct horse battery' };

type Call = { actor: Actor; context: { identity: IdentityServices }; request: FastifyRequest; reply: FastifyReply };

/** Requires the password and, from a person with a second factor, a code: a stolen session alone changes nothing. */
async function requireBoth({ actor, context: { identity }, request }: Call, body: { password: string; code?: string }) {
  await requirePassword(identity, actor, body.password);
  await requireSecondFactor(identity, { actor, request }, body.code);
}

/**
 * Gives the session a new cookie, which invalidates copies of the old one. The sign-in stays the same; `hasFactor`
 * says that the person has just used the second factor.
 */
async function renew({ actor, context: { identity }, request, reply }: Call, hasFactor = false): Promise<void> {
  const { auth, database } = identity;
  const signIn = await database.transaction(null, (tx) => findSignIn(tx, actor.credentialId));
  const response = await renewSession(auth, request);
  await database.transaction(null, async (tx) => {
    await continueSession(tx, signIn && { ...signIn, secondFactor: hasFactor || signIn.secondFactor }, response);
    await announceAuthenticationChange(tx);
  });
  passCookies(reply, response);
}

const setUp = defineRoute({
  ...shared,
  method: 'POST',
  path: '/profile/two-factor',
  operationId: 'setUpTwoFactor',
  summary: 'Set up a second factor',
  description:
    'Returns the secret for an authenticator, and recovery codes. They take effect with `POST /profile/two-factor/confirm` within 30 minutes; until then nothing changes, and a second factor that is on stays. With one, `code` is needed.',
  body: PasswordConfirmation,
  requestExample: passwordExample,
  responses: {
    200: { schema: TwoFactorSetup, description: 'The secret and the recovery codes.', example: twoFactorSetupExample },
  },
  errors: [],
  handler: async ({ body, ...call }) => {
    await requireBoth(call, body);
    const { actor, context, transaction } = call;
    const { email } = await findPassword(context.database, actor.userId);
    const { stored, uri, shown } = await createSecret(context.identity, email);
    const codes = createRecoveryCodes();
    const factor = { secret: stored, recoveryCodes: hashRecoveryCodes(codes) };
    return transaction(async (tx) => {
      await putPendingFactor(tx, actor.userId, factor);
      return { secret: shown, uri, recovery_codes: codes };
    });
  },
});

const confirm = defineRoute({
  ...shared,
  method: 'POST',
  path: '/profile/two-factor/confirm',
  operationId: 'confirmTwoFactor',
  summary: 'Turn the second factor on',
  description:
    'Needs a first code of the authenticator that was set up, which shows that it works; this code is then used up. It replaces the second factor that was on before. Renews the cookie of the session. From now on a sign-in with the password needs a code.',
  body: TwoFactorCode,
  requestExample: { code: '123456' },
  responses: { 204: { description: 'The second factor is on.' } },
  errors: [],
  handler: async ({ body, ...call }) => {
    const { actor, context, transaction } = call;
    const secret = await requirePendingCode(context.identity, actor, body.code);
    await changeAccount({ database: context.database, transaction }, actor.userId, async (tx, account) => {
      const confirmed = await confirmPendingFactor(tx, actor.userId, secret);
      if (!confirmed) throw invalid('body', 'code', 'has expired: set up the second factor again');
      const notice = confirmed.isReplaced ? 'two_factor_replaced' : 'two_factor_enabled';
      await recordFactorChange(tx, account, actor.address, notice);
    });
    await renew(call, true);
  },
});

const remove = defineRoute({
  ...shared,
  method: 'POST',
  path: '/profile/two-factor/remove',
  operationId: 'removeTwoFactor',
  summary: 'Remove the second factor',
  description:
    'Deletes its secret and recovery codes, and renews the cookie of the session. Needs `code`: one of the authenticator, or a recovery code. API tokens and passkeys stay unless you say otherwise.',
  body: TwoFactorRemoval,
  requestExample: { ...passwordExample, code: '123456' },
  responses: { 204: { description: 'Removed.' } },
  errors: [],
  handler: async ({ body, ...call }) => {
    await requireBoth(call, body);
    const { actor, context, transaction } = call;
    const { database } = context;
    await changeAccount({ database, transaction }, actor.userId, async (tx, account) => {
      await forgetSecondFactor(tx, actor.userId);
      if (await deleteFactor(tx, actor.userId)) {
        await recordFactorChange(tx, account, actor.address, 'two_factor_removed');
      }
      await endFurtherAccess(tx, account, body, { actor: auditActor(actor), because: 'second factor removed' });
    });
    await renew(call);
  },
});

const renewRecoveryCodes = defineRoute({
  ...shared,
  method: 'POST',
  path: '/profile/two-factor/recovery-codes',
  operationId: 'renewRecoveryCodes',
  summary: 'Create new recovery codes',
  description: 'The previous codes stop working. Needs `code`: one of the authenticator, or a recovery code.',
  body: PasswordConfirmation,
  requestExample: { ...passwordExample, code: '123456' },
  responses: {
    200: {
      schema: RecoveryCodes,
      description: 'The new codes.',
      example: { recovery_codes: twoFactorSetupExample.recovery_codes },
    },
  },
  errors: [],
  handler: async ({ body, ...call }) => {
    await requireBoth(call, body);
    const { actor, context, transaction } = call;
    const { database } = context;
    const codes = createRecoveryCodes();
    return changeAccount({ database, transaction }, actor.userId, async (tx, account) => {
      if (!(await updateRecoveryCodes(tx, actor.userId, hashRecoveryCodes(codes)))) throw notSetUp();
      await recordFactorChange(tx, account, actor.address, 'recovery_codes_renewed');
      return { recovery_codes: codes };
    });
  },
});

export const twoFactorRoutes = [setUp, confirm, remove, renewRecoveryCodes];
