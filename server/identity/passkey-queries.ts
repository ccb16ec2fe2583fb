import type { Database, Db, Statement } from '../platform/postgres/database.ts';

export type NewPasskey = {
  credentialId: string;
  /** COSE, base64url. */
  publicKey: string;
  counter: number;
  transports: string | null;
  deviceType: string;
  backedUp: boolean;
  aaguid: string | null;
};

export type PasskeyRow = {
  id: string;
  name: string;
  backed_up: boolean;
  created_at: Date;
  last_used_at: Date | null;
};

const columns = 'id, name, backed_up, created_at, last_used_at';

/** Stores a passkey. Returns undefined if it is registered already. */
export async function insertPasskey(
  tx: Db,
  userId: string,
  { id, name, ...passkey }: NewPasskey & { id: string; name: string },
): Promise<PasskeyRow | undefined> {
  const { rows } = await tx.query<PasskeyRow>({
    text: `INSERT INTO passkeys
             (id, user_id, name, public_key, credential_id, counter, device_type, backed_up, transports, aaguid)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
           ON CONFLICT (credential_id) DO NOTHING
           RETURNING ${columns}`,
    values: [
      ...[id, userId, name, passkey.publicKey, passkey.credentialId, passkey.counter, passkey.deviceType],
      ...[passkey.backedUp, passkey.transports, passkey.aaguid],
    ],
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

export async function listCredentialIds(database: Database, userId: string): Promise<string[]> {
  const rows = await database.single<{ credential_id: string }>(null, {
    text: 'SELECT credential_id FROM passkeys WHERE user_id = $1',
    values: [userId],
  });
  return rows.map(({ credential_id }) => credential_id);
}

export async function findPasskeyByCredential(
  database: Database,
  credentialId: string,
): Promise<{ id: string; user_id: string; credential_id: string; public_key: string; counter: number } | undefined> {
  const rows = await database.single<{
    id: string;
    user_id: string;
    credential_id: string;
    public_key: string;
    counter: number;
  }>(null, {
    name: 'passkey_find',
    text: 'SELECT id, user_id, credential_id, public_key, counter FROM passkeys WHERE credential_id = $1',
    values: [credentialId],
  });
  return rows[0];
}

export async function recordPasskeyUse(database: Database, id: string, counter: number): Promise<void> {
  await database.single(null, {
    name: 'passkey_record_use',
    text: 'UPDATE passkeys SET counter = greatest(counter, $2), last_used_at = now() WHERE id = $1',
    values: [id, counter],
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
