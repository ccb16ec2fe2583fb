import { hash, verify } from '@node-rs/argon2';
import { invalid } from '../platform/errors.ts';
import { randomBase62 } from './token.ts';

/** Bounds of a password's length in characters: NIST SP 800-63B asks for 8 at least; the upper one bounds the hashing. */
export const passwordLength = { minimum: 8, maximum: 128 };

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. Some 10 ms of one core. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The argon2id hash in PHC form (`$argon2id$v=19$m=19456,t=2,p=1$…`), salted by itself. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), parameters);
}

/** Whether the password is the one behind the hash; false for a hash that can't be read. */
export async function verifyPassword(hashed: string, password: string): Promise<boolean> {
  try {
    return await verify(hashed, password.normalize('NFKC'));
  } catch {
    return false;
  }
}

/** Throws `invalid_request` naming `field` when the password is too short or too long. */
export function checkPassword(password: string, field = 'password'): void {
  const length = [...password].length;
  if (length >= passwordLength.minimum && length <= passwordLength.maximum) return;
  throw invalid('body', field, `must have ${passwordLength.minimum} to ${passwordLength.maximum} characters`);
}

/** A password to print once: 20 characters of base62, 119 bits. */
export function generatePassword(): string {
  return randomBase62(20);
}
