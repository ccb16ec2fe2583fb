import { createOTP } from '@better-auth/utils/otp';
import { generateRandomString, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../../platform/errors.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { recordFactorChange } from '../account-notices.ts';
import { findUser } from '../queries.ts';
import type { IdentityServices } from '../services.ts';
import { callLibrary } from '../sign-in/library.ts';
import { refusalOf, wrongField } from '../sign-in/refusal.ts';
import { hashRecoveryCode } from '../two-factor/recovery-codes.ts';
import { findPendingSecret } from '../two-factor/two-factor-queries.ts';

const settings = { digits: 6, period: 30 };

/** Makes a secret for an authenticator: as it is stored, and as the person gets it. */
export async function createSecret({ auth }: IdentityServices, email: string) {
  const secret = generateRandomString(32);
  const uri = createOTP(secret, settings).url('Assay', email);
  const [current, former] = auth.options.secrets;
  // Without a version while the key stays, as nodes of the previous release read it.
  const key = former ? (await auth.$context).secretConfig : current!.value;
  return {
    stored: await symmetricEncrypt({ key, data: secret }),
    uri,
    shown: new URL(uri).searchParams.get('secret')!,
  };
}

const wrongCode = () => wrongField('code', 'is wrong or no longer valid');

/** Requires that this code is the person's and is used for the first time. A wrong one counts for the session. */
export async function requirePendingCode(identity: IdentityServices, actor: Actor, code: string): Promise<string> {
  const secret = await findPendingSecret(identity.database, actor.userId);
  if (secret === undefined) throw invalid('body', 'code', 'comes too late: set the second factor up again');
  const { secretConfig: key } = await identity.auth.$context;
  const otp = createOTP(await symmetricDecrypt({ key, data: secret }), settings);
  await identity.guesses.attemptInSession(actor.credentialId, async () => {
    const digits = code.replaceAll(/\s/g, '');
    if (!(await otp.verify(digits)) || !(await identity.guesses.isFirstUse(actor.userId, digits))) throw wrongCode();
  });
  return secret;
}

/**
 * Requires a code of the second factor in use, or a recovery code, which is then used up. Does nothing for a person
 * without one. A wrong code counts for the session.
 */
export async function requireSecondFactor(
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
  if (isRecoveryCode) await database.transaction(null, (tx) => recordFactorChange(tx, actor, 'recovery_code_used'));
}

export const notSetUp = () =>
  new ApiError('invalid_request', 'The second factor is off. Set it up first, with POST /profile/two-factor.');
