import type { Database, Db, Statement } from '../../platform/postgres/database.ts';

export type PasskeyRow = {
  id: string;
  name: string;
  backed_up: boolean;
  created_at: Date;
  last_used_at: Date | null;
};

const columns = 'id, name, backed_up, created_at, last_used_at';

/** Returns one of a person's passkeys. */
export async function findPasskey(tx: Db, userId: string, id: string): Promise<PasskeyRow | undefined> {
  const { rows } = await tx.query<PasskeyRow>({
    text: `SELECT ${columns} FROM passkeys WHERE user_id = $1 AND id = $2`,
    values: [userId, id],
  });
  return rows[0];
}

/** Lists a page of a person's passkeys, newest first, with one more row when there is another page. */
export function listPasskeys(userId: string, page: { limit: number; beforeId: string | null }): Statement {
  return {
    name: 'user_passkeys_list',
    text: `SELECT ${columns} FROM passkeys
           WHERE user_id = $1 AND ($2::text IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    values: [userId, page.beforeId, page.limit + 1],
  };
}

/** Returns whether any account has registered the credential. */
export async function isPasskey(database: Database, credentialId: string): Promise<boolean> {
  const rows = await database.single(null, {
    text: 'SELECT FROM passkeys WHERE credential_id = $1',
    values: [credentialId],
  });
  return rows.length > 0;
}

export async function recordPasskeyUse(database: Database, credentialId: string): Promise<void> {
  await database.single(null, {
    name: 'passkey_record_use',
    text: 'UPDATE passkeys SET last_used_at = now() WHERE credential_id = $1',
    values: [credentialId],
  });
}

export async function updatePasskeyName(
  tx: Db,
  userId: string,
  id: string,
  name: string,
): Promise<PasskeyRow | undefined> {
  const { rows } = await tx.query<PasskeyRow>({
    text: `UPDATE passkeys SET name = $3 WHERE user_id = $1 AND id = $2 RETURNING ${columns}`,
    values: [userId, id, name],
  });
  return rows[0];
}

/** Returns the name of the deleted passkey; undefined when there is none. */
export async function deletePasskey(tx: Db, userId: string, id: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ name: string }>({
    text: 'DELETE FROM passkeys WHERE user_id = $1 AND id = $2 RETURNING name',
    values: [userId, id],
  });
  return rows[0]?.name;
}

/** Deletes all passkeys of a person and returns them. */
export async function deletePasskeys(tx: Db, userId: string): Promise<PasskeyRow[]> {
  const { rows } = await tx.query<PasskeyRow>({
    text: `DELETE FROM passkeys WHERE user_id = $1 RETURNING ${columns}`,
    values: [userId],
  });
  return rows;
}
