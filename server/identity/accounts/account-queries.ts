import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { newId } from '../../platform/id.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { formerProvider, readAccountId } from '../provided-account.ts';
import type { User } from '../queries.ts';

// An address can have several accounts: at most one verified account, and one unverified account per organization.

/**
 * An account of an email address. An unverified account belongs only to `organizationId`, which is null for a
 * verified one.
 */
export type Account = { id: string; name: string; email: string; verified: boolean; organizationId: string | null };

const columns = 'u.id, u.name, u.email, u.email_verified AS verified, u.organization_id AS "organizationId"';
const isInUse = '(u.email_verified OR u.organization_id IS NOT NULL)';

/**
 * A candidate for a sign-in with an email address and a password. `hash` is null for a person without a password.
 * `isExpired` means that the password was generated and not changed in time.
 */
export type SignInAccount = { userId: string; hash: string | null; isExpired: boolean };

export function listSignInAccounts(database: Database, email: string): Promise<SignInAccount[]> {
  return database.single<SignInAccount>(null, {
    name: 'sign_in_accounts_list',
    text: `SELECT u.id AS "userId", a.password AS hash, coalesce(u.initial_password_until < now(), false) AS "isExpired"
           FROM users u LEFT JOIN accounts a ON a.user_id = u.id AND a.provider_id = 'credential'
           WHERE u.email = $1 AND ${isInUse}
           ORDER BY u.email_verified DESC, u.id`,
    values: [email],
  });
}

/** Lists the accounts of an address, verified one first. */
export async function listAccounts(tx: Db, email: string): Promise<Account[]> {
  const { rows } = await tx.query<Account>({
    text: `SELECT ${columns} FROM users u WHERE u.email = $1 AND ${isInUse} ORDER BY u.email_verified DESC, u.id`,
    values: [email],
  });
  return rows;
}

export async function findAccountById(tx: Db, userId: string): Promise<Account | undefined> {
  const { rows } = await tx.query<Account>({
    text: `SELECT ${columns} FROM users u WHERE u.id = $1 AND ${isInUse}`,
    values: [userId],
  });
  return rows[0];
}

/** Like `findAccountById`, and locks the account until the end of the transaction. */
export async function lockAccount(tx: Db, userId: string): Promise<Account | undefined> {
  const { rows } = await tx.query<Account>({
    text: `SELECT ${columns} FROM users u WHERE u.id = $1 AND ${isInUse} FOR UPDATE`,
    values: [userId],
  });
  return rows[0];
}

/** Serializes concurrent verifications of an address. */
async function lockAddress(tx: Db, email: string): Promise<void> {
  await tx.query({ text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', values: [`email ${email}`] });
}

/** Finds the person who has verified this address. */
export async function findVerifiedUser(tx: Db, email: string): Promise<User | undefined> {
  const { rows } = await tx.query<User>({
    text: 'SELECT id, name, email FROM users WHERE email = $1 AND email_verified',
    values: [email],
  });
  return rows[0];
}

/** Returns the salt for the passwords of an address, which the first call creates. */
export async function findPasswordSalt(database: Database, email: string): Promise<Buffer> {
  const address = createHash('sha256').update(email).digest();
  await database.single(null, {
    text: 'INSERT INTO password_salts (address, salt) VALUES ($1, $2) ON CONFLICT (address) DO NOTHING',
    values: [address, randomBytes(16)],
  });
  const rows = await database.single<{ salt: Buffer }>(null, {
    text: 'SELECT salt FROM password_salts WHERE address = $1',
    values: [address],
  });
  return rows[0]!.salt;
}

export type NewUser = { email: string; name: string; passwordHash: string };

/**
 * Creates a person with a verified address; null when the address has a verified account. `passwordHash` comes from
 * `hashPasswordOf`.
 */
export async function insertVerifiedUser(tx: Db, user: NewUser): Promise<User | null> {
  await lockAddress(tx, user.email);
  const id = newId('usr');
  const { rowCount } = await tx.query({
    text: `WITH person AS (
             INSERT INTO users (id, name, email, email_verified) VALUES ($1, $2, $3, true)
             ON CONFLICT (email) WHERE email_verified DO NOTHING RETURNING id
           )
           INSERT INTO accounts (id, account_id, provider_id, user_id, password)
           SELECT $4, id, 'credential', id, $5 FROM person`,
    values: [id, user.name, user.email, randomUUID(), user.passwordHash],
  });
  return rowCount === 1 ? { id, name: user.name, email: user.email } : null;
}

/**
 * Creates an account for this organization only, for an address that is not verified; null when the organization
 * already has an account for it. It reveals nothing about other accounts of the address, and gives no access to them.
 */
export async function insertUnverifiedUser(tx: Db, orgId: string, user: NewUser): Promise<User | null> {
  const id = newId('usr');
  const { rowCount } = await tx.query({
    text: `WITH person AS (
             INSERT INTO users (id, name, email, email_verified, organization_id) VALUES ($1, $2, $3, false, $6)
             ON CONFLICT (email, organization_id) WHERE NOT email_verified DO NOTHING RETURNING id
           )
           INSERT INTO accounts (id, account_id, provider_id, user_id, password)
           SELECT $4, id, 'credential', id, $5 FROM person`,
    values: [id, user.name, user.email, randomUUID(), user.passwordHash, orgId],
  });
  return rowCount === 1 ? { id, name: user.name, email: user.email } : null;
}

/** Returns the owner of an account at the single sign-on provider. */
export async function findUserOfAccount(tx: Db, accountId: string): Promise<string | undefined> {
  const { provider, subject } = readAccountId(accountId);
  const { rows } = await tx.query<{ user_id: string }>({
    text: `SELECT user_id FROM accounts
           WHERE (provider_id = $1 AND account_id = $2) OR (provider_id = $3 AND account_id = $4)
           ORDER BY provider_id DESC LIMIT 1`,
    values: [provider, subject, formerProvider, accountId],
  });
  return rows[0]?.user_id;
}

export async function linkProvidedAccount(tx: Db, userId: string, accountId: string): Promise<void> {
  const { provider, subject } = readAccountId(accountId);
  await tx.query({
    text: `INSERT INTO accounts (id, account_id, provider_id, user_id) VALUES ($1, $2, $3, $4)
           ON CONFLICT (provider_id, account_id) DO NOTHING`,
    values: [randomUUID(), subject, provider, userId],
  });
}

/** Creates a person who signs in at the provider. Returns false when the address has a verified account. */
export async function insertProvidedUser(
  tx: Db,
  user: { id: string; name: string; email: string; accountId: string },
): Promise<boolean> {
  const { id } = user;
  await lockAddress(tx, user.email);
  const { rowCount } = await tx.query({
    text: `INSERT INTO users (id, name, email, email_verified) VALUES ($1, $2, $3, true)
           ON CONFLICT (email) WHERE email_verified DO NOTHING`,
    values: [id, user.name, user.email],
  });
  if (rowCount !== 1) return false;
  await linkProvidedAccount(tx, id, user.accountId);
  return true;
}

/**
 * Sets the account's address to one that its person has verified. Returns false if another account has it verified.
 */
export async function updateVerifiedEmail(tx: Db, userId: string, email: string): Promise<boolean> {
  await lockAddress(tx, email);
  const { rowCount } = await tx.query({
    text: `UPDATE users SET email = $2, email_verified = true, organization_id = NULL, updated_at = now()
           WHERE id = $1 AND NOT EXISTS (SELECT FROM users WHERE email = $2 AND email_verified AND id <> $1)`,
    values: [userId, email],
  });
  return rowCount === 1;
}

/**
 * Changes the address of an unverified account, which stays unverified. Returns false if its organization has an
 * account with that address.
 */
export async function updateUnverifiedEmail(tx: Db, userId: string, email: string): Promise<boolean> {
  await lockAddress(tx, email);
  const { rowCount } = await tx.query({
    text: `UPDATE users u SET email = $2, updated_at = now()
           WHERE id = $1 AND NOT email_verified
             AND NOT EXISTS (SELECT FROM users o WHERE o.email = $2 AND o.organization_id = u.organization_id)`,
    values: [userId, email],
  });
  return rowCount === 1;
}

/** Retires an unverified account. Its name stays in the records of its actions. */
export async function updateOutOfUse(tx: Db, userId: string): Promise<void> {
  await tx.query({
    text: `UPDATE users SET organization_id = NULL, updated_at = now() WHERE id = $1 AND NOT email_verified`,
    values: [userId],
  });
}

/**
 * Removes all credentials of an account, so that nobody who had them can sign in. API tokens are revoked by
 * `revokeTokensOfMember`.
 */
export async function deleteCredentials(tx: Db, userId: string): Promise<void> {
  const statements = [
    'DELETE FROM sessions WHERE user_id = $1',
    'DELETE FROM passkeys WHERE user_id = $1',
    'DELETE FROM two_factors WHERE user_id = $1',
    'DELETE FROM pending_two_factors WHERE user_id = $1',
    'UPDATE users SET two_factor_enabled = false, initial_password_until = NULL WHERE id = $1',
    'DELETE FROM accounts WHERE user_id = $1',
    'DELETE FROM sign_in_links WHERE user_id = $1',
    'DELETE FROM verifications WHERE value = $1',
  ];
  for (const text of statements) await tx.query({ text, values: [userId] });
}
