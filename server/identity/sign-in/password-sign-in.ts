import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/errors.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { listSignInAccounts, type SignInAccount } from '../accounts/account-queries.ts';
import { WrongGuess } from '../guess-limits/guess-limits.ts';
import { passCookies, startPasswordSession } from '../library/call-library.ts';
import { refusalOf } from '../library/refusal.ts';
import { matchPassword } from '../password.ts';
import { listMemberships } from '../queries.ts';
import type { IdentityServices } from '../services.ts';
import { findDevice } from './device-cookie.ts';
import { signedIn } from './identified-sign-in.ts';

type Call = { request: FastifyRequest; reply: FastifyReply };

const wrong = () => new WrongGuess('unauthenticated', 'The email address or the password is wrong.');

/** Returned only after the right password: nobody else learns that the account exists. */
const expired = () =>
  new ApiError(
    'unauthenticated',
    'This password was generated, and worked for 24 hours. Ask the operator for a new one (assay user reset-password).',
  );

/** Returns the accounts with this password. Throws WrongGuess when there is none, after the same amount of work. */
async function matchAccounts(accounts: SignInAccount[], password: string): Promise<SignInAccount[]> {
  const hashes = accounts.flatMap(({ hash }) => hash ?? []);
  const matching = await matchPassword(hashes, password);
  const found = accounts.filter(({ hash }) => hash !== null && matching.includes(hash));
  if (found.length === 0) throw wrong();
  return found;
}

/** Returns no accounts for a wrong password, and rethrows other errors. */
function nobody(error: unknown): SignInAccount[] {
  if (error instanceof WrongGuess) return [];
  throw error;
}

/**
 * Finds the accounts of an email address and a password. Accounts to which this browser has signed in before come
 * first, within the browser's own limit; for the others, the limits of unknown browsers apply. Throws WrongGuess,
 * `rate_limited`.
 */
async function findAccounts(
  identity: IdentityServices,
  request: FastifyRequest,
  { email, password, userId }: { email: string; password: string; userId: string | undefined },
): Promise<SignInAccount[]> {
  const all = await listSignInAccounts(identity.database, email);
  const chosen = all.filter((account) => account.userId === userId);
  const accounts = chosen.length > 0 ? chosen : all;
  const deviceOf = new Map(accounts.map((account) => [account, findDevice(identity, request, account.userId)]));
  const devices = [...deviceOf.values()].filter((device) => device !== undefined);
  let others = accounts;
  try {
    const found = await identity.guesses.attemptByDevice(devices, (allowed) => {
      const known = accounts.filter((account) => allowed.includes(deviceOf.get(account) ?? ''));
      others = accounts.filter((account) => !known.includes(account));
      return matchAccounts(known, password);
    });
    if (found && others.length > 0 && (await identity.guesses.mayTryOthers(request.ip, email))) {
      found.push(...(await matchAccounts(others, password).catch(nobody)));
    }
    if (found) return found;
  } catch (error) {
    if (!(error instanceof WrongGuess) || others.length === 0) throw error;
  }
  return identity.guesses.attemptAsStranger(request.ip, email, () => matchAccounts(others, password));
}

/** Names accounts by their organizations, for a person who chose the same password for several. */
async function choiceOf(database: Database, accounts: SignInAccount[]) {
  return Promise.all(
    accounts.map(async ({ userId: id }) => {
      const memberships = await listMemberships(database, id);
      return { id, organizations: memberships.map(({ name }) => name) };
    }),
  );
}

/**
 * Signs a person in by email address and password, or asks for a code, or for one of several accounts. Throws
 * WrongGuess, `rate_limited`.
 */
export async function signInWithPassword(
  identity: IdentityServices,
  call: Call,
  wanted: { email: string; password: string; rememberMe: boolean; userId: string | undefined },
) {
  const found = await findAccounts(identity, call.request, wanted);
  const account = found.length === 1 ? found[0] : found.find(({ userId }) => userId === wanted.userId);
  if (!account) {
    const accounts = await choiceOf(identity.database, found);
    return { status: 'account_required' as const, user: null, accounts };
  }
  if (account.isExpired) throw expired();
  const { rememberMe } = wanted;
  const response = await startPasswordSession(identity.auth, call.request, { userId: account.userId, rememberMe });
  if (!response.ok) throw refusalOf(response, 'password');
  if (!response.body.twoFactorRedirect) return signedIn(identity, call, response, 'password');
  passCookies(call.reply, response);
  return { status: 'code_required' as const, user: null };
}
