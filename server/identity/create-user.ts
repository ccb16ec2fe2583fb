import { normalizeEmail } from '../organization/email-address.ts';
import { ApiError, invalid } from '../platform/errors.ts';
import type { Db } from '../platform/postgres/database.ts';
import { findUserByEmail, insertUser, type User } from './queries.ts';

/** Returns the name of a person who gave none: the part of the address before the `@`. */
export const defaultName = (email: string) => email.slice(0, email.indexOf('@'));

/** Returns the normal form of an email address. Throws `invalid_request` for any other text. */
export function requireEmail(text: string, field = 'email'): string {
  const email = normalizeEmail(text);
  if (email === null) throw invalid('body', field, 'must be an email address such as name@example.com');
  return email;
}

/**
 * Creates a person. `email` must be normalised, and `passwordHash` computed before the transaction, since that is slow.
 * Throws `already_exists` when the address is in use.
 */
export async function createUser(tx: Db, user: { email: string; name: string; passwordHash: string }): Promise<User> {
  const created = await insertUser(tx, user);
  if (created) return created;
  throw new ApiError('already_exists', `There is already a user with the address ${user.email}.`);
}

/**
 * Returns the person of that address, creating it if there is none; `isNew` says which. Safe for simultaneous calls.
 */
export async function findOrCreateUser(
  tx: Db,
  user: { email: string; name: string; passwordHash: string },
): Promise<User & { isNew: boolean }> {
  const created = await insertUser(tx, user);
  if (created) return { ...created, isNew: true };
  return { ...(await findUserByEmail(tx, user.email))!, isNew: false };
}
