import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../../platform/errors.ts';
import { type Auth, accountDisabled } from '../library/auth.ts';
import {
  type Caller,
  callLibrary,
  LibraryFailure,
  type LibraryResponse,
  passCookies,
  withoutSession,
} from '../library/call-library.ts';
import { disabled } from '../library/refusal.ts';
import { type Ceremony, ceremonies } from '../passkeys/passkey-plugin.ts';
import { isPasskey, recordPasskeyUse } from '../passkeys/passkey-queries.ts';
import type { IdentityServices } from '../services.ts';

export type Call = { request: FastifyRequest; reply: FastifyReply };
/** The credential from the browser, as JSON. */
export type PasskeyCredential = { id: string };

/** Passkeys belong to a domain: browsers don't support them for an IP address. */
export const hasPasskeys = (request: FastifyRequest): boolean => isIP(request.hostname.replace(/^\[|\]$/g, '')) === 0;

/** Returns the options for creating a passkey in the browser. A cookie stores the challenge, which works once. */
export async function beginRegistration({ auth }: IdentityServices, { request, reply }: Call) {
  const response = await callLibrary(auth, request, '/passkey/generate-register-options');
  if (!response.ok) throw new ApiError('unauthenticated', 'The session has ended. Sign in again.');
  passCookies(reply, response);
  return response.body;
}

const expired = () => invalid('body', 'credential', 'has expired or comes from another browser: start again');
const isLate = ({ code }: LibraryResponse) =>
  code === 'CHALLENGE_NOT_FOUND' || code === 'YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY';

/**
 * Stores a passkey from the browser and returns its id. Throws `invalid_request` when it doesn't match the challenge,
 * `already_exists` when it is registered.
 */
export async function completeRegistration(
  { auth, database }: IdentityServices,
  { request, reply }: Call,
  { credential, name }: { credential: PasskeyCredential; name: string },
): Promise<string> {
  const body = { response: credential, name };
  const { response, failure, isVerified } = await runCeremony(auth, request, '/passkey/verify-registration', body);
  if (response) passCookies(reply, response);
  if (response?.ok) return response.body.id;
  if (response && isLate(response)) throw expired();
  if (!isVerified) throw invalid('body', 'credential', 'is not a passkey made for this page');
  if (await isPasskey(database, credential.id)) throw new ApiError('already_exists', 'This passkey is in use already.');
  throw failure ?? new Error('The sign-in library verified a passkey and did not store it.');
}

/**
 * Returns the options for signing in with a passkey. They list no passkeys, so that they reveal nothing about anyone.
 */
export async function beginAuthentication({ auth, guesses }: IdentityServices, { request, reply }: Call) {
  await guesses.limitCeremonies(request.ip);
  const response = await callLibrary(auth, withoutSession(request), '/passkey/generate-authenticate-options');
  if (!response.ok) throw new Error(`The sign-in library refused to begin a sign-in: ${response.code}.`);
  passCookies(reply, response);
  // The library says `preferred`; the check of the returned passkey requires verification.
  return { ...response.body, userVerification: 'required' };
}

/**
 * Signs the person of a passkey in, and returns the library's response. Throws `unauthenticated` for a passkey that
 * is unknown or doesn't match the challenge.
 */
export async function completeAuthentication(
  { auth, database }: IdentityServices,
  { request, reply }: Call,
  credential: PasskeyCredential,
): Promise<LibraryResponse> {
  const path = '/passkey/verify-authentication';
  const outcome = await runCeremony(auth, withoutSession(request), path, { response: credential });
  const { response, failure, isVerified } = outcome;
  if (response?.ok) {
    await recordPasskeyUse(database, credential.id);
    return response;
  }
  if (response) passCookies(reply, response);
  if (response && isLate(response)) throw expired();
  if (response?.code === accountDisabled) throw disabled();
  if (isVerified) throw failure ?? new Error(`The sign-in library failed after a passkey was verified.`);
  throw new ApiError('unauthenticated', 'This passkey is not known here. Sign in with your password and add it again.');
}

/** Completes a ceremony. A failure of the library is returned, because it can mean a wrong signature. */
async function runCeremony(auth: Auth, caller: Caller, path: string, body: object) {
  const ceremony: Ceremony = { isVerified: false };
  try {
    const response = await ceremonies.run(ceremony, () => callLibrary(auth, caller, path, body));
    return { response, failure: null, ...ceremony };
  } catch (failure) {
    if (!(failure instanceof LibraryFailure)) throw failure;
    return { response: null, failure, ...ceremony };
  }
}
