import type { Database } from '../../platform/postgres/database.ts';
import { hashPassword } from '../password.ts';
import { findPasswordSalt } from './account-queries.ts';

/** Returns the hash of a password for an account of this address. Call it before a transaction: it is slow. */
export async function hashPasswordOf(database: Database, email: string, password: string): Promise<string> {
  return hashPassword(password, await findPasswordSalt(database, email));
}
