import { normalizeEmail } from '../organization/email-address.ts';
import { ApiError, invalid } from '../platform/errors.ts';
import type { Db } from '../platform/postgres/database.ts';
import { findUserByEmail, insertUser, type User } from './queries.ts';

/** The name of a person who gave none: what stands before the `@`. */
export const defaultName = (email: string) => email.slice(0, email.indexOf('@'));

/** Throws `invalid_request` when the text is no e-mail address. */
export function requireEmail(text: string, field = 'email'): string {
  const email = normalizeEmail(text);
  if (email === null) throw invalid('body', field, 'must be an e-mail address such as name@example.com');
  return email;
}

/**
 * Makes a person. `email` normalised; `passwordHash` made before the transaction, since it takes a while.
 * Throws `already_exists` when the address is taken.
 */
export async function createUser(tx: Db, user: { email: string; name: string; passwordHash: string }): Promise<User> {
  const created = await insertUser(tx, user);
  if (created) return created;
  throw new ApiError('already_exists', `There is a user with the address ${user.email} already.`);
}

/** The person of that address, made when there is none; `isNew` says which. Safe when two do it at once. */
export async function findOrCreateUser(
  tx: Db,
  user: { email: string; name: string; passwordHash: string },
): Promise<User & { isNew: boolean }> {
  const created = await insertUser(tx, user);
  if (created) return { ...created, isNew: true };
  return { ...(await findUserByEmail(tx, user.email))!, isNew: false };
}
