import { findInCells } from '../platform/postgres/cells/cell-database.ts';
import type { Database, Db, Statement } from '../platform/postgres/database.ts';

export type TokenRow = {
  id: string;
  name: string;
  scopes: string[] | null;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
};

const columns = 'id, name, scopes, created_at, expires_at, last_used_at';

/** SQL for when a token of the organization `$1` expires: at its own expiry, or according to the sign-in policy. */
const end = `LEAST(expires_at, created_at + (SELECT (o.sign_in ->> 'token_longest_days')::integer FROM organizations o WHERE o.id = $1)
  * interval '24 hours')`;
const listed = `id, name, scopes, created_at, ${end} AS expires_at, last_used_at`;

export async function insertToken(
  tx: Db,
  orgId: string,
  token: { id: string; userId: string; name: string; hash: Buffer; scopes: string[] | null; expiresAt: Date | null },
): Promise<TokenRow> {
  const { rows } = await tx.query<TokenRow>({
    text: `INSERT INTO api_tokens (org_id, id, user_id, name, hash, scopes, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${columns}`,
    values: [orgId, token.id, token.userId, token.name, token.hash, token.scopes, token.expiresAt],
  });
  return rows[0]!;
}

/**
 * Lists a page of a person's tokens that are not revoked, newest first, with one more row when there is another page.
 */
export function listTokensOfUser(
  orgId: string,
  userId: string,
  page: { limit: number; beforeId: string | null },
): Statement {
  return {
    name: 'user_tokens_list',
    text: `SELECT ${listed} FROM api_tokens
           WHERE org_id = $1 AND user_id = $2 AND revoked_at IS NULL AND ($3::text IS NULL OR id < $3)
           ORDER BY id DESC LIMIT $4`,
    values: [orgId, userId, page.beforeId, page.limit + 1],
  };
}

/** Counts the tokens of a person that are neither revoked nor expired. */
export async function countValidTokens(tx: Db, orgId: string, userId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>({
    name: 'user_tokens_count',
    text: `SELECT count(*)::integer AS count FROM api_tokens
           WHERE org_id = $1 AND user_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    values: [orgId, userId],
  });
  return rows[0]!.count;
}

export type TokenOfOrganization = TokenRow & { email: string; revoked_at: Date | null };

/** Lists all tokens of an organization, or of one of its people, newest first; for the operator. */
export function listTokens(database: Database, orgId: string, email: string | null): Promise<TokenOfOrganization[]> {
  return database.single<TokenOfOrganization>(orgId, {
    text: `SELECT t.id, t.name, t.scopes, t.created_at, t.expires_at, t.last_used_at, t.revoked_at, u.email
           FROM api_tokens t JOIN users u ON u.id = t.user_id
           WHERE t.org_id = $1 AND ($2::text IS NULL OR u.email = $2)
           ORDER BY t.id DESC`,
    values: [orgId, email],
  });
}

/**
 * Returns undefined when there is no such valid token, or when it belongs to a person other than `userId` (null
 * allows anyone's).
 */
export async function updateTokenRevoked(
  tx: Db,
  orgId: string,
  id: string,
  userId: string | null,
): Promise<{ name: string; user_id: string } | undefined> {
  const { rows } = await tx.query<{ name: string; user_id: string }>({
    text: `UPDATE api_tokens SET revoked_at = now()
           WHERE org_id = $1 AND id = $2 AND revoked_at IS NULL AND ($3::text IS NULL OR user_id = $3)
           RETURNING name, user_id`,
    values: [orgId, id, userId],
  });
  return rows[0];
}

export async function findOrganizationOfToken(database: Database, id: string): Promise<string | null> {
  const found = await findInCells(database, async (cell) => {
    const rows = await cell.single<{ org_id: string | null }>(null, {
      text: 'SELECT organization_of_token($1) AS org_id',
      values: [id],
    });
    return rows[0]?.org_id;
  });
  return found ?? null;
}
