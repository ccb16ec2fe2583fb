import { randomUUID } from 'node:crypto';
import type { SignInPolicy } from '../organization/sign-in-policy.ts';
import { newId } from '../platform/id.ts';
import type { Database, Db } from '../platform/postgres/database.ts';
import { formerProvider, readAccountId } from './provided-account.ts';

export type TokenBearer = {
  token_id: string;
  org_id: string;
  user_id: string;
  user_name: string;
  user_email: string;
  /** Null when the person is no longer a member. */
  role: string | null;
  scopes: string[] | null;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  plan: string;
  rate_limit: number | null;
  burst_limit: number | null;
  /** The sign-in policy of the organization; null for the default one. */
  sign_in: SignInPolicy | null;
};

export type Membership = {
  org_id: string;
  name: string;
  role: string;
  joined_at: Date;
  plan: string;
  rate_limit: number | null;
  burst_limit: number | null;
  sign_in: SignInPolicy | null;
  /** Sessions from before this time do not reach the organization. */
  sessions_from: Date | null;
};

export type User = { id: string; name: string; email: string };

/** Finds the owner of the token with this hash, in any organization. One round trip. */
export async function findTokenBearer(database: Database, hash: Buffer): Promise<TokenBearer | undefined> {
  const rows = await database.single<TokenBearer>(null, {
    name: 'token_bearer_find',
    text: 'SELECT * FROM bearer_of_token($1)',
    values: [hash],
  });
  return rows[0];
}

/** Lists the organizations that a person belongs to, in the order of joining. */
export function listMemberships(database: Database, userId: string): Promise<Membership[]> {
  return database.single<Membership>(null, {
    name: 'user_memberships_list',
    text: 'SELECT * FROM memberships_of_user($1)',
    values: [userId],
  });
}

/** The credential of a request. */
export type Credential = { kind: 'token' | 'session'; id: string };

/**
 * Records the use of a token or session and the activity of its user, to the minute. An older time never replaces a
 * newer one. Uses two transactions, so that neither waits for a row while it holds another.
 */
export async function noteUse(
  database: Database,
  orgId: string,
  { credential, userId, minute }: { credential: Credential; userId: string; minute: Date },
): Promise<void> {
  if (credential.kind === 'token') {
    await database.single(orgId, {
      name: 'token_record_use',
      text: `UPDATE api_tokens SET last_used_at = $3
             WHERE org_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < $3)`,
      values: [orgId, credential.id, minute],
    });
  } else {
    await database.single(null, {
      name: 'session_record_use',
      text: `UPDATE sessions SET last_active_at = $2
             WHERE id = $1 AND (last_active_at IS NULL OR last_active_at < $2)`,
      values: [credential.id, minute],
    });
  }
  await database.single(orgId, {
    name: 'member_record_activity',
    text: `UPDATE members SET last_active_at = $3
           WHERE org_id = $1 AND user_id = $2 AND (last_active_at IS NULL OR last_active_at < $3)`,
    values: [orgId, userId, minute],
  });
}

export async function findUserByEmail(tx: Db, email: string): Promise<User | undefined> {
  const { rows } = await tx.query<User>({
    text: 'SELECT id, name, email FROM users WHERE email = $1',
    values: [email],
  });
  return rows[0];
}

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
           WHERE u.email = $1`,
    values: [email],
  });
}

export type UserOfProfile = User & { two_factor_enabled: boolean; has_password: boolean };

export async function findUser(tx: Db, userId: string): Promise<UserOfProfile | undefined> {
  const { rows } = await tx.query<UserOfProfile>({
    text: `SELECT u.id, u.name, u.email, coalesce(u.two_factor_enabled, false) AS two_factor_enabled,
                  EXISTS (SELECT FROM accounts a WHERE a.user_id = u.id AND a.provider_id = 'credential') AS has_password
           FROM users u WHERE u.id = $1`,
    values: [userId],
  });
  return rows[0];
}

/** Returns a person's address, and the hash of the password; null for a person without one. */
export async function findPassword(
  database: Database,
  userId: string,
): Promise<{ email: string; hash: string | null }> {
  const rows = await database.single<{ email: string; hash: string | null }>(null, {
    name: 'user_password_find',
    text: `SELECT u.email, a.password AS hash
           FROM users u LEFT JOIN accounts a ON a.user_id = u.id AND a.provider_id = 'credential'
           WHERE u.id = $1`,
    values: [userId],
  });
  return rows[0]!;
}

export async function hasUsers(tx: Db): Promise<boolean> {
  const { rows } = await tx.query({ text: 'SELECT 1 FROM users LIMIT 1' });
  return rows.length > 0;
}

/**
 * Creates a person who signs in with a password; null when the address is in use. `passwordHash` comes from
 * `hashPassword`.
 */
export async function insertUser(
  tx: Db,
  user: { email: string; name: string; passwordHash: string },
): Promise<User | null> {
  const id = newId('usr');
  const { rowCount } = await tx.query({
    text: `WITH person AS (
             INSERT INTO users (id, name, email, email_verified) VALUES ($1, $2, $3, true)
             ON CONFLICT (email) DO NOTHING RETURNING id
           )
           INSERT INTO accounts (id, account_id, provider_id, user_id, password)
           SELECT $4, id, 'credential', id, $5 FROM person`,
    values: [id, user.name, user.email, randomUUID(), user.passwordHash],
  });
  return rowCount === 1 ? { id, name: user.name, email: user.email } : null;
}

/** Returns the only organization; null when there is none, or more than one. */
export async function findOnlyOrganization(database: Database): Promise<string | null> {
  const rows = await database.single<{ id: string | null }>(null, { text: 'SELECT only_organization() AS id' });
  return rows[0]?.id ?? null;
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

/** Creates a person who signs in at the provider; undefined when the address is in use. */
export async function insertProvidedUser(
  tx: Db,
  user: { name: string; email: string; accountId: string },
): Promise<string | undefined> {
  const id = newId('usr');
  const { rowCount } = await tx.query({
    text: `INSERT INTO users (id, name, email, email_verified) VALUES ($1, $2, $3, true)
           ON CONFLICT (email) DO NOTHING`,
    values: [id, user.name, user.email],
  });
  if (rowCount !== 1) return undefined;
  await linkProvidedAccount(tx, id, user.accountId);
  return id;
}

/** Returns the organization that was made first; null when there is none. */
export async function findFirstOrganization(database: Database): Promise<string | null> {
  const rows = await database.single<{ id: string | null }>(null, { text: 'SELECT first_organization() AS id' });
  return rows[0]?.id ?? null;
}

/** Returns false if the address is taken. */
export async function updateUserEmail(tx: Db, userId: string, email: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `UPDATE users SET email = $2, email_verified = true, updated_at = now()
           WHERE id = $1 AND NOT EXISTS (SELECT FROM users WHERE email = $2)`,
    values: [userId, email],
  });
  return rowCount === 1;
}

export async function updateUserName(tx: Db, userId: string, name: string): Promise<void> {
  await tx.query({ text: 'UPDATE users SET name = $2, updated_at = now() WHERE id = $1', values: [userId, name] });
}

/** Deletes expired sessions and one-time codes. */
export async function deleteExpiredSignIns(database: Database): Promise<void> {
  for (const table of ['sessions', 'verifications']) {
    await database.single(null, { text: `DELETE FROM ${table} WHERE expires_at < now()` });
  }
}
