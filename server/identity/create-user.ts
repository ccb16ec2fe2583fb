import { normalizeEmail } from '../organization/email-address.ts';
import { ApiError, invalid } from '../platform/errors.ts';
import type { Db } from '../platform/postgres/database.ts';
import { findVerifiedUser, insertUnverifiedUser, type NewUser } from './accounts/account-queries.ts';
import type { User } from './queries.ts';

/** Returns the default name of a person: the part of the address before the `@`. */
export const defaultName = (email: string) => email.slice(0, email.indexOf('@'));

/** Returns the normal form of an email address. Throws `invalid_request` for any other text. */
export function requireEmail(text: string, field = 'email'): string {
  const email = normalizeEmail(text);
  if (email === null) throw invalid('body', field, 'must be an email address such as name@example.com');
  return email;
}

/**
 * Creates an account that belongs only to this organization until its address is verified. `email` must be
 * normalised, and `passwordHash` computed before the transaction, since that is slow. Throws `already_exists` when
 * the organization has an account for the address.
 */
export async function createUser(tx: Db, orgId: string, user: NewUser): Promise<User> {
  const created = await insertUnverifiedUser(tx, orgId, user);
  if (created) return created;
  throw new ApiError('already_exists', `There is already an account with the address ${user.email} in ${orgId}.`);
}

/**
 * Returns the person with this verified address, else a new account for this organization; `isNew` says which. Safe
 * for concurrent calls.
 */
export async function findOrCreateUser(tx: Db, orgId: string, user: NewUser): Promise<User & { isNew: boolean }> {
  const known = await findVerifiedUser(tx, user.email);
  return known ? { ...known, isNew: false } : { ...(await createUser(tx, orgId, user)), isNew: true };
}
