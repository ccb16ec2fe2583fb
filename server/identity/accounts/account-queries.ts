import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { newId } from '../../platform/id.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { formerProvider, readAccountId } from '../provided-account.ts';
import type { User } from '../queries.ts';

// An address can have several accounts: at most one that is verified, and one that is not for each organization.

/** An account of an email address. An unverified one belongs to `organizationId` only; null for a verified one. */
export type Account = { id: string; name: string; email: string; verified: boolean; organizationId: string | null };

const columns = 'u.id, u.name, u.email, u.email_verified AS verified, u.organization_id AS "organizationId"';
const isInUse = '(u.email_verified OR u.organization_id IS NOT NULL)';

/**
 * An account that an email address and a password may mean. `hash` is null for a person without a password, `isExpired`
 * says that it was generated and not changed in time.
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

/** Lists the accounts of an address, the verified one first. */
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

/** Returns an account as `findAccountById` does, which nothing else changes until the end of the transaction. */
export async function lockAccount(tx: Db, userId: string): Promise<Account | undefined> {
  const { rows } = await tx.query<Account>({
    text: `SELECT ${columns} FROM users u WHERE u.id = $1 AND ${isInUse} FOR UPDATE`,
    values: [userId],
  });
  return rows[0];
}

/** Makes those wait who verify the same address at the same time. */
async function lockAddress(tx: Db, email: string): Promise<void> {
  await tx.query({ text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', values: [`email ${email}`] });
}

/** Finds the person who has shown that this address is theirs. */
export async function findVerifiedUser(tx: Db, email: string): Promise<User | undefined> {
  const { rows } = await tx.query<User>({
    text: 'SELECT id, name, email FROM users WHERE email = $1 AND email_verified',
    values: [email],
  });
  return rows[0];
}

/** Returns the salt for the passwords of an address, and makes it at the first call. */
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
 * Creates the person who has shown that the address is theirs; null when it has a verified account. `passwordHash` comes
 * from `hashPasswordOf`.
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
 * Creates an account for this organization only, for an address that nobody has shown to be theirs; null when the
 * organization has one for it. It says nothing of other accounts of the address, and reaches none of them.
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

/** Returns the person of an account at the provider of single sign-on. */
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

/** Creates a person who signs in at the provider; undefined when the address has a verified account. */
export async function insertProvidedUser(
  tx: Db,
  user: { name: string; email: string; accountId: string },
): Promise<string | undefined> {
  await lockAddress(tx, user.email);
  const id = newId('usr');
  const { rowCount } = await tx.query({
    text: `INSERT INTO users (id, name, email, email_verified) VALUES ($1, $2, $3, true)
           ON CONFLICT (email) WHERE email_verified DO NOTHING`,
    values: [id, user.name, user.email],
  });
  if (rowCount !== 1) return undefined;
  await linkProvidedAccount(tx, id, user.accountId);
  return id;
}

/** Makes an address that its person has shown that of the account. Returns false if another account has it verified. */
export async function updateVerifiedEmail(tx: Db, userId: string, email: string): Promise<boolean> {
  await lockAddress(tx, email);
  const { rowCount } = await tx.query({
    text: `UPDATE users SET email = $2, email_verified = true, organization_id = NULL, updated_at = now()
           WHERE id = $1 AND NOT EXISTS (SELECT FROM users WHERE email = $2 AND email_verified AND id <> $1)`,
    values: [userId, email],
  });
  return rowCount === 1;
}

/** Changes the address of an unverified account, which stays so. Returns false if its organization has one with it. */
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

/** Takes an unverified account out of use. Its name stays with what it did. */
export async function updateOutOfUse(tx: Db, userId: string): Promise<void> {
  await tx.query({
    text: `UPDATE users SET organization_id = NULL, updated_at = now() WHERE id = $1 AND NOT email_verified`,
    values: [userId],
  });
}

/** Removes every way into an account, so that nobody who had one keeps it. API tokens end with `revokeTokensOfMember`. */
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
