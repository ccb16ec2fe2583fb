import { inEachCell } from '../postgres/cells/cell-database.ts';
import type { Database, Db } from '../postgres/database.ts';

/**
 * A caller's key. `orgId` is null for requests that change the person's account: their keys are stored with the person,
 * so that they commit with the change.
 */
export type CallerKey = { orgId: string | null; userId: string; credentialId: string; key: string };

/** A caller's key, and the run that has claimed it. */
export type KeyOwner = CallerKey & { runId: string };

/** Returns the table of a key, and the values of its primary key. */
function placeOf({ orgId, userId, credentialId, key }: CallerKey) {
  return orgId === null
    ? {
        kind: 'account_idempotency_key',
        table: 'account_idempotency_keys',
        by: 'user_id',
        values: [userId, credentialId, key],
      }
    : { kind: 'idempotency_key', table: 'idempotency_keys', by: 'org_id', values: [orgId, credentialId, key] };
}

export type StoredResponse = {
  fingerprint: Buffer | null;
  /** Null while the first call is still running. */
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  body_withheld: boolean;
};

export const leaseMs = 30_000;

/**
 * Claims the key for this run. Returns true when the key is new, has expired, or belonged to a run that died. A lease
 * that ends later than a new one would was created before the clock was set back; it counts as expired.
 */
export async function claimKey(database: Database, owner: KeyOwner, fingerprint: Buffer | null): Promise<boolean> {
  const { kind, table, by, values } = placeOf(owner);
  const rows = await database.single(owner.orgId, {
    name: `${kind}_claim`,
    text: `INSERT INTO ${table} AS k (${by}, credential_id, key, run_id, leased_until, fingerprint, expires_at)
           VALUES ($1, $2, $3, $4, now() + $5 * interval '1 ms', $6, now() + interval '24 hours')
           ON CONFLICT (${by}, credential_id, key) DO UPDATE
              SET run_id = excluded.run_id, leased_until = excluded.leased_until, fingerprint = excluded.fingerprint,
                  expires_at = excluded.expires_at, status = NULL, headers = NULL, body = NULL, body_withheld = false
            WHERE excluded.expires_at - k.expires_at >= interval '24 hours'
               OR (k.status IS NULL AND NOT (excluded.leased_until - k.leased_until >= interval '0 ms'
                   AND excluded.leased_until - k.leased_until < $5 * interval '1 ms'))
        RETURNING 1 AS claimed`,
    values: [...values, owner.runId, leaseMs, fingerprint],
  });
  return rows.length > 0;
}

/** Returns the stored call for the caller's key; undefined when the key was released meanwhile. */
export async function findResponse(database: Database, key: CallerKey): Promise<StoredResponse | undefined> {
  const { kind, table, by, values } = placeOf(key);
  const rows = await database.single<StoredResponse>(key.orgId, {
    name: `${kind}_find`,
    text: `SELECT fingerprint, status, headers, body, body_withheld FROM ${table}
            WHERE ${by} = $1 AND credential_id = $2 AND key = $3`,
    values,
  });
  return rows[0];
}

/**
 * Stores the response if the run still owns the key; returns false otherwise. Call it in the transaction of the work,
 * so that both commit or neither.
 */
export async function storeResponse(db: Db, owner: KeyOwner, response: StoredResponse): Promise<boolean> {
  const { kind, table, by, values } = placeOf(owner);
  const { rowCount } = await db.query({
    name: `${kind}_keep_response`,
    text: `UPDATE ${table} SET fingerprint = $5, status = $6, headers = $7, body = $8, body_withheld = $9
            WHERE ${by} = $1 AND credential_id = $2 AND key = $3 AND run_id = $4`,
    values: [
      ...values,
      owner.runId,
      response.fingerprint,
      response.status,
      JSON.stringify(response.headers),
      response.body,
      response.body_withheld,
    ],
  });
  return rowCount === 1;
}

/** Extends the lease of a run that is still alive. */
export async function extendLease(database: Database, owner: KeyOwner): Promise<void> {
  const { table, by, values } = placeOf(owner);
  await database.single(owner.orgId, {
    text: `UPDATE ${table} SET leased_until = now() + $5 * interval '1 ms'
            WHERE ${by} = $1 AND credential_id = $2 AND key = $3 AND run_id = $4 AND status IS NULL`,
    values: [...values, owner.runId, leaseMs],
  });
}

/** Releases the key after a failure, so that the same call can be retried. A stored response stays. */
export async function releaseKey(database: Database, owner: KeyOwner): Promise<void> {
  const { table, by, values } = placeOf(owner);
  await database.single(owner.orgId, {
    text: `DELETE FROM ${table}
            WHERE ${by} = $1 AND credential_id = $2 AND key = $3 AND run_id = $4 AND status IS NULL`,
    values: [...values, owner.runId],
  });
}

const purgeBatch = 10_000;

const purges = {
  organizations: 'SELECT purge_idempotency_keys($1) AS count',
  people: `WITH purged AS (
             DELETE FROM account_idempotency_keys WHERE (user_id, credential_id, key) IN (
               SELECT user_id, credential_id, key FROM account_idempotency_keys
               WHERE expires_at <= now() ORDER BY expires_at LIMIT $1)
             RETURNING 1)
           SELECT count(*) AS count FROM purged`,
};

/** Deletes the expired keys of all organizations and people, and returns their number. Called by an hourly job. */
export async function purgeIdempotencyKeys(database: Database): Promise<number> {
  const purge = async (from: Database, text: string): Promise<number> => {
    let purged = 0;
    for (let count = purgeBatch; count >= purgeBatch; purged += count) {
      const rows = await from.single<{ count: number }>(null, { text, values: [purgeBatch] });
      count = rows[0]!.count;
    }
    return purged;
  };
  const ofPeople = await purge(database, purges.people);
  const ofOrganizations = await inEachCell(database, (cell) => purge(cell, purges.organizations));
  return ofOrganizations.reduce((sum, count) => sum + count, ofPeople);
}
