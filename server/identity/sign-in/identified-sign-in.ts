import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignInMethod } from '../../organization/sign-in-policy.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { changeAccount } from '../account-changes/change-account.ts';
import { recordOwnAccount } from '../account-changes/record-own-account.ts';
import { noticeAccount } from '../account-notices.ts';
import { type LibraryResponse, newSessionToken, passCookies } from '../library/call-library.ts';
import { readSessionCookie, tokenOfCookie } from '../library/session.ts';
import type { IdentityServices } from '../services.ts';
import { deleteSession, findSessionUser, updateSignInMethod } from '../session-queries.ts';
import { findDevice, rememberDevice } from './device-cookie.ts';

type Call = { request: FastifyRequest; reply: FastifyReply };

export const personView = ({ id, name, email }: { id: string; name: string; email: string }) => ({ id, name, email });

const sessionToken = (request: FastifyRequest) => {
  const cookie = readSessionCookie(request);
  return cookie === undefined ? undefined : tokenOfCookie(cookie);
};

/** Ends the browser's current session, and records it for its person. */
export async function endSession(database: Database, request: FastifyRequest): Promise<void> {
  const token = sessionToken(request);
  const userId = token && (await database.transaction(null, (tx) => findSessionUser(tx, token)));
  if (!userId) return;
  await changeAccount({ database }, userId, async (tx, account) => {
    const isMine = await deleteSession(tx, token);
    if (isMine) await recordOwnAccount(tx, account, { address: request.ip }, 'account.signed_out');
  });
}

/**
 * Returns whether to mail the person about a browser that is new to their account: only when mails are delivered, and
 * rarely to a person whose program signs in without cookies. Nobody else can use up that limit.
 */
const isNewsworthy = async (identity: IdentityServices, request: FastifyRequest, userId: string): Promise<boolean> =>
  identity.sendsMail &&
  findDevice(identity, request, userId) === undefined &&
  (await identity.guesses.mayMail(`new device ${userId}`));

/** Completes a sign-in that the library accepted: the new session replaces the browser's former one. */
export async function signedIn(
  identity: IdentityServices,
  { request, reply }: Call,
  response: LibraryResponse,
  method: SignInMethod,
) {
  const user = personView(response.body.user);
  const isNews = await isNewsworthy(identity, request, user.id);
  await changeAccount(identity, user.id, async (tx, account) => {
    const token = sessionToken(request);
    if (token !== undefined) await deleteSession(tx, token);
    await updateSignInMethod(tx, newSessionToken(response), method);
    await recordOwnAccount(tx, account, { address: request.ip }, 'account.signed_in', { method });
    if (isNews) await noticeAccount(tx, 'new_device', { userId: user.id, address: request.ip });
  });
  passCookies(reply, response);
  rememberDevice(identity, { request, reply }, user.id);
  return { status: 'signed_in' as const, user };
}
