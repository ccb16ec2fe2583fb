import type { SignInPolicy } from '../organization/sign-in-policy.ts';
import { findInCells, inReachableCells } from '../platform/postgres/cells/cell-database.ts';
import type { Database, Db } from '../platform/postgres/database.ts';

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
  /** Sessions from before this time have no access to the organization. */
  sessions_from: Date | null;
};

export type User = { id: string; name: string; email: string };

/** Finds the owner of the token with this hash, in any organization. One round trip. */
export function findTokenBearer(database: Database, hash: Buffer): Promise<TokenBearer | undefined> {
  const find = async (cell: Database) => {
    const rows = await cell.single<TokenBearer>(null, {
      name: 'token_bearer_find',
      text: 'SELECT * FROM bearer_of_token($1)',
      values: [hash],
    });
    return rows[0];
  };
  return findInCells(database, find, hash.toString('base64'));
}

/**
 * Lists the organizations that a person belongs to, in the order of joining, as far as their cells can be reached;
 * `missing` is the error of one that can't.
 */
export async function listReachableMemberships(
  database: Database,
  userId: string,
): Promise<{ memberships: Membership[]; missing?: unknown }> {
  const { results, ...rest } = await inReachableCells(database, (cell) =>
    cell.single<Membership>(null, {
      name: 'user_memberships_list',
      text: 'SELECT * FROM memberships_of_user($1)',
      values: [userId],
    }),
  );
  // Each list is in this order already.
  const [first = [], ...more] = results;
  if (more.length === 0) return { memberships: first, ...rest };
  return { memberships: results.flat().sort((a, b) => Number(a.joined_at) - Number(b.joined_at)), ...rest };
}

/** Lists all organizations that a person belongs to, in the order of joining. */
export async function listMemberships(database: Database, userId: string): Promise<Membership[]> {
  const { memberships, missing } = await listReachableMemberships(database, userId);
  if (missing !== undefined) throw missing;
  return memberships;
}

/** The credential of a request. */
export type Credential = { kind: 'token' | 'session'; id: string };

/**
 * Records the use of a token or session and the activity of its user, to the minute, but never before their creation.
 * An older time never replaces a newer one. Uses two transactions, so that neither waits for a row while it has
 * another locked.
 */
export async function noteUse(
  database: Database,
  orgId: string,
  { credential, userId, minute }: { credential: Credential; userId: string; minute: Date },
): Promise<void> {
  if (credential.kind === 'token') {
    await database.single(orgId, {
      name: 'token_record_use',
      text: `UPDATE api_tokens SET last_used_at = greatest($3, created_at)
             WHERE org_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < $3)`,
      values: [orgId, credential.id, minute],
    });
  } else {
    await database.single(null, {
      name: 'session_record_use',
      text: `UPDATE sessions SET last_active_at = greatest($2, created_at)
             WHERE id = $1 AND (last_active_at IS NULL OR last_active_at < $2)`,
      values: [credential.id, minute],
    });
  }
  await database.single(orgId, {
    name: 'member_record_activity',
    text: `UPDATE members SET last_active_at = greatest($3, joined_at)
           WHERE org_id = $1 AND user_id = $2 AND (last_active_at IS NULL OR last_active_at < $3)`,
    values: [orgId, userId, minute],
  });
}

export type UserOfProfile = User & { email_verified: boolean; two_factor_enabled: boolean; has_password: boolean };

export async function findUser(tx: Db, userId: string): Promise<UserOfProfile | undefined> {
  const { rows } = await tx.query<UserOfProfile>({
    text: `SELECT u.id, u.name, u.email, u.email_verified, coalesce(u.two_factor_enabled, false) AS two_factor_enabled,
                  EXISTS (SELECT FROM accounts a WHERE a.user_id = u.id AND a.provider_id = 'credential') AS has_password
           FROM users u WHERE u.id = $1`,
    values: [userId],
  });
  return rows[0];
}

/** Returns a person's address and password hash; null for a person without a password. */
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

export async function hasVerifiedUsers(tx: Db): Promise<boolean> {
  const { rows } = await tx.query({ text: 'SELECT 1 FROM users WHERE email_verified LIMIT 1' });
  return rows.length > 0;
}

/** Returns the only organization; null when there is none, or more than one. */
export async function findOnlyOrganization(database: Database): Promise<string | null> {
  const rows = await database.single<{ id: string | null }>(null, { text: 'SELECT only_organization() AS id' });
  return rows[0]?.id ?? null;
}

/** Returns the oldest organization; null when there is none. */
export async function findFirstOrganization(database: Database): Promise<string | null> {
  const rows = await database.single<{ id: string | null }>(null, { text: 'SELECT first_organization() AS id' });
  return rows[0]?.id ?? null;
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
