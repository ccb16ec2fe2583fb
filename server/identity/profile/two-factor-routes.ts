import type { FastifyReply, FastifyRequest } from 'fastify';
import { defineRoute } from '../../context.ts';
import { auditActor, findAuditedAccount } from '../../organization/audit.ts';
import type { AuditAction } from '../../organization/audit-actions.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { recordOwnAccount } from '../account-audit.ts';
import { deleteTrustedBrowsers } from '../queries.ts';
import type { IdentityServices } from '../services.ts';
import { WrongGuess } from '../sign-in/guess-limits.ts';
import { callLibrary, type LibraryResponse, passCookies } from '../sign-in/library.ts';
import { refusalOf, wrongField } from '../sign-in/refusal.ts';
import { PasswordConfirmation, RecoveryCodes, TwoFactorCode, TwoFactorSetup, twoFactorSetupExample } from './schema.ts';

const shared = { tag: 'Profile', extension: true, permission: 'session', sensitive: true } as const;
const passwordExample = { password: 'correct horse battery' };

type Call = { actor: Actor; context: { identity: IdentityServices }; request: FastifyRequest; reply: FastifyReply };

/** Calls the library with a password or code of the signed-in person. Wrong guesses are limited. */
async function callWithGuess(
  { actor, context: { identity }, request, reply }: Call,
  path: string,
  body: { password: string } | { code: string },
  action: AuditAction | null,
): Promise<LibraryResponse> {
  return identity.guesses.attemptInSession(actor.credentialId, async () => {
    const response = await callLibrary(identity.auth, request, path, body);
    if (response.ok) {
      passCookies(reply, response);
      await identity.database.transaction(null, async (tx) => {
        const account = await findAuditedAccount(tx, actor.userId);
        await deleteTrustedBrowsers(tx, actor.userId);
        if (action) await recordOwnAccount(tx, account, auditActor(actor), action);
      });
      return response;
    }
    const refusal = refusalOf(response, 'password');
    const isWrongCode = refusal instanceof WrongGuess && 'code' in body;
    throw isWrongCode ? wrongField('code', 'is wrong or no longer valid') : refusal;
  });
}

const setUp = defineRoute({
  ...shared,
  method: 'POST',
  path: '/profile/two-factor',
  operationId: 'setUpTwoFactor',
  summary: 'Set up a second factor',
  description:
    'Returns the secret for an authenticator, and recovery codes. The second factor is on after `POST /profile/two-factor/confirm`. Repeating it replaces the secret and the codes.',
  body: PasswordConfirmation,
  requestExample: passwordExample,
  responses: {
    200: { schema: TwoFactorSetup, description: 'The secret and the recovery codes.', example: twoFactorSetupExample },
  },
  errors: [],
  handler: async ({ body, ...call }) => {
    const response = await callWithGuess(call, '/two-factor/enable', body, null);
    const uri: string = response.body.totpURI;
    return { secret: new URL(uri).searchParams.get('secret')!, uri, recovery_codes: response.body.backupCodes };
  },
});

const confirm = defineRoute({
  ...shared,
  method: 'POST',
  path: '/profile/two-factor/confirm',
  operationId: 'confirmTwoFactor',
  summary: 'Turn the second factor on',
  description:
    'Needs a first code of the authenticator, which shows that it works. Renews the cookie of the session. From now on a sign-in with the password needs a code.',
  body: TwoFactorCode,
  requestExample: { code: '123456' },
  responses: { 204: { description: 'The second factor is on.' } },
  errors: [],
  handler: async ({ body, ...call }) => {
    await callWithGuess(call, '/two-factor/verify-totp', body, 'account.two_factor_enabled');
  },
});

const remove = defineRoute({
  ...shared,
  method: 'POST',
  path: '/profile/two-factor/remove',
  operationId: 'removeTwoFactor',
  summary: 'Remove the second factor',
  description: 'Deletes its secret and recovery codes, and renews the cookie of the session.',
  body: PasswordConfirmation,
  requestExample: passwordExample,
  responses: { 204: { description: 'Removed.' } },
  errors: [],
  handler: async ({ body, ...call }) => {
    await callWithGuess(call, '/two-factor/disable', body, 'account.two_factor_removed');
  },
});

const renewRecoveryCodes = defineRoute({
  ...shared,
  method: 'POST',
  path: '/profile/two-factor/recovery-codes',
  operationId: 'renewRecoveryCodes',
  summary: 'Create new recovery codes',
  description: 'The previous codes stop working.',
  body: PasswordConfirmation,
  requestExample: passwordExample,
  responses: {
    200: {
      schema: RecoveryCodes,
      description: 'The new codes.',
      example: { recovery_codes: twoFactorSetupExample.recovery_codes },
    },
  },
  errors: [],
  handler: async ({ body, ...call }) => {
    const action = 'account.recovery_codes_renewed';
    const response = await callWithGuess(call, '/two-factor/generate-backup-codes', body, action);
    return { recovery_codes: response.body.backupCodes };
  },
});

export const twoFactorRoutes = [setUp, confirm, remove, renewRecoveryCodes];
