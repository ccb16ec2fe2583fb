import { timingSafeEqual } from 'node:crypto';
import { createRequire } from 'node:module';
import { hash, verify } from '@node-rs/argon2';
import { invalid } from '../platform/errors.ts';
import { randomBase62 } from './token.ts';

/**
 * Limits of a password's length in characters. NIST SP 800-63B requires at least 8; the maximum limits the work of
 * hashing.
 */
export const passwordLength = { minimum: 8, maximum: 128 };

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. About 10 ms of one core. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Returns the argon2id hash in PHC form (`$argon2id$v=19$m=19456,t=2,p=1$…`), with its salt; a random one by default.
 */
export function hashPassword(password: string, salt?: Uint8Array): Promise<string> {
  return hash(password.normalize('NFKC'), { ...parameters, salt });
}

/** Returns whether the password matches the hash; false for a hash that can't be read. */
export async function verifyPassword(hashed: string, password: string): Promise<boolean> {
  try {
    return await verify(hashed, password.normalize('NFKC'));
  } catch {
    return false;
  }
}

/**
 * The minimum number of hashes that a password check computes, so that its time does not depend on the number of
 * accounts.
 */
const minHashes = 2;

/** Returns the settings of a hash: algorithm, parameters and salt. */
const settingsOf = (hashed: string) => hashed.slice(0, hashed.lastIndexOf('$'));

/** Computes the hash of a password with the settings of another hash. */
async function hashLike(settings: string, password: string): Promise<string> {
  const [, memory, time, lanes, salt] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)$/.exec(settings) ?? [];
  if (salt === undefined) return '';
  return hash(password.normalize('NFKC'), {
    algorithm: parameters.algorithm,
    memoryCost: Number(memory),
    timeCost: Number(time),
    parallelism: Number(lanes),
    salt: Buffer.from(salt, 'base64'),
  });
}

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * Returns the hashes that match the password. Hashes with the same salt cost one computation together, and one salt
 * costs as much as two.
 */
export async function matchPassword(hashes: string[], password: string): Promise<string[]> {
  const all = [...new Set(hashes.map(settingsOf))];
  const computed = all.map((settings) => hashLike(settings, password).catch(() => ''));
  while (computed.length < minHashes) computed.push(hashPassword(password));
  const results = new Set(await Promise.all(computed));
  return hashes.filter((hashed) => [...results].some((result) => isSame(result, hashed)));
}

const require = createRequire(import.meta.url);
let commonPasswords: ReadonlySet<string> | undefined;

/** The 10,000 most common passwords of at least 8 characters, in lower case; loaded when a password is first chosen. */
function isCommon(password: string): boolean {
  commonPasswords ??= new Set(
    (require('@zxcvbn-ts/language-common/src/passwords.json') as string[])
      .filter((common) => common.length >= passwordLength.minimum)
      .slice(0, 10_000),
  );
  return commonPasswords.has(password);
}

/**
 * Throws `invalid_request` naming `field` for a password that is too short or too long, very common, or the person's
 * own email address.
 */
export function checkPassword(
  password: string,
  { field = 'password', email }: { field?: string; email?: string } = {},
): void {
  const length = [...password].length;
  if (length < passwordLength.minimum || length > passwordLength.maximum) {
    throw invalid('body', field, `must have ${passwordLength.minimum} to ${passwordLength.maximum} characters`);
  }
  const plain = password.normalize('NFKC').trim().toLowerCase();
  if (isCommon(plain)) throw invalid('body', field, 'is one of the most common passwords: choose another one');
  if (email !== undefined && plain === email.toLowerCase()) {
    throw invalid('body', field, 'must not be the email address: choose another one');
  }
}

/** Generates a password to print once: 20 base62 characters, 119 bits. */
export function generatePassword(): string {
  return randomBase62(20);
}
