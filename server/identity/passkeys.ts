import { isIP } from 'node:net';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../platform/errors.ts';
import { findPasskeyByCredential, listCredentialIds, type NewPasskey, recordPasskeyUse } from './passkey-queries.ts';
import type { IdentityServices } from './services.ts';
import { type SealedCookie, setSealedCookie, takeSealedCookie } from './sign-in/sealed-cookie.ts';

export type Call = { request: FastifyRequest; reply: FastifyReply };
type Challenge = { challenge: string; userId: string | null };

const challengeCookie: SealedCookie = { name: 'passkey', validSeconds: 300, sameSite: 'Strict' };

/** Passkeys belong to a domain: browsers offer none for an IP address. */
export const hasPasskeys = (request: FastifyRequest): boolean => isIP(hostOf(request)) === 0;

const hostOf = (request: FastifyRequest) => request.hostname.replace(/^\[|\]$/g, '');

/** The page that called, whose origin was checked already. */
function pageOf(request: FastifyRequest): { expectedOrigin: string; expectedRPID: string } {
  const { origin = '' } = request.headers;
  return { expectedOrigin: origin, expectedRPID: URL.canParse(origin) ? new URL(origin).hostname : '' };
}

/** Returns what the browser needs to make a passkey, and keeps the challenge. */
export async function beginRegistration(
  identity: IdentityServices,
  { request, reply }: Call,
  user: { id: string; name: string; email: string },
) {
  const known = await listCredentialIds(identity.database, user.id);
  const options = await generateRegistrationOptions({
    rpName: 'Assay',
    rpID: pageOf(request).expectedRPID,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    excludeCredentials: known.map((id) => ({ id })),
    // They replace the password and the second factor, so that the device must verify its user.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const challenge: Challenge = { challenge: options.challenge, userId: user.id };
  setSealedCookie(identity, reply, challengeCookie, challenge);
  return options;
}

const expired = () => invalid('body', 'credential', 'comes too late or from another browser: start again');

/** Takes the challenge of this browser, which works once. */
async function takeChallenge(identity: IdentityServices, call: Call, userId: string | null): Promise<string> {
  const kept = takeSealedCookie<Challenge>(identity, call, challengeCookie);
  if (!kept || kept.userId !== userId) throw expired();
  if (!(await identity.guesses.isFirstUse('passkey', kept.challenge))) throw expired();
  return kept.challenge;
}

/** Returns the passkey that a browser made. Throws `invalid_request` when it does not fit the challenge. */
export async function completeRegistration(
  identity: IdentityServices,
  call: Call,
  userId: string,
  response: RegistrationResponseJSON,
): Promise<NewPasskey> {
  const expectedChallenge = await takeChallenge(identity, call, userId);
  const verification = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    ...pageOf(call.request),
    requireUserVerification: true,
  }).catch(() => null);
  if (!verification?.verified) throw invalid('body', 'credential', 'is not a passkey made for this page');
  const { credential, credentialDeviceType, credentialBackedUp, aaguid } = verification.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: credential.transports?.join(',') ?? null,
    deviceType: credentialDeviceType,
    backedUp: credentialBackedUp,
    aaguid,
  };
}

/** Returns what the browser needs to sign in. It names no passkey, so that it says nothing of anybody. */
export async function beginAuthentication(identity: IdentityServices, { request, reply }: Call) {
  const rpID = pageOf(request).expectedRPID || hostOf(request);
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' });
  const challenge: Challenge = { challenge: options.challenge, userId: null };
  setSealedCookie(identity, reply, challengeCookie, challenge);
  return options;
}

const refused = () =>
  new ApiError('unauthenticated', 'This passkey is not known here. Sign in with your password and add it again.');

/** Returns the person of a passkey. Throws `unauthenticated` for one that is unknown or does not fit the challenge. */
export async function completeAuthentication(
  identity: IdentityServices,
  call: Call,
  response: AuthenticationResponseJSON,
): Promise<string> {
  const expectedChallenge = await takeChallenge(identity, call, null);
  const passkey = await findPasskeyByCredential(identity.database, response.id);
  if (!passkey) throw refused();
  const { id, user_id: userId, credential_id: credentialId, public_key: publicKey, counter } = passkey;
  const credential = { id: credentialId, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter };
  const verification = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    ...pageOf(call.request),
    requireUserVerification: true,
    credential,
  }).catch(() => null);
  if (!verification?.verified) throw refused();
  await recordPasskeyUse(identity.database, id, verification.authenticationInfo.newCounter);
  return userId;
}
