import type { Database, Db } from '../postgres/database.ts';
import type { Actor } from './actor.ts';

/** A caller's key, and the run that has claimed it. */
export type KeyOwner = { orgId: string; credentialId: string; key: string; runId: string };

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
  const rows = await database.single(owner.orgId, {
    name: 'idempotency_key_claim',
    text: `INSERT INTO idempotency_keys AS k (org_id, credential_id, key, run_id, leased_until, fingerprint, expires_at)
           VALUES ($1, $2, $3, $4, now() + $5 * interval '1 ms', $6, now() + interval '24 hours')
           ON CONFLICT (org_id, credential_id, key) DO UPDATE
              SET run_id = excluded.run_id, leased_until = excluded.leased_until, fingerprint = excluded.fingerprint,
                  expires_at = excluded.expires_at, status = NULL, headers = NULL, body = NULL, body_withheld = false
            WHERE excluded.expires_at - k.expires_at >= interval '24 hours'
               OR (k.status IS NULL AND NOT (excluded.leased_until - k.leased_until >= interval '0 ms'
                   AND excluded.leased_until - k.leased_until < $5 * interval '1 ms'))
        RETURNING 1 AS claimed`,
    values: [owner.orgId, owner.credentialId, owner.key, owner.runId, leaseMs, fingerprint],
  });
  return rows.length > 0;
}

/** Returns the stored call for the caller's key; undefined when the key was released meanwhile. */
export async function findResponse(database: Database, actor: Actor, key: string): Promise<StoredResponse | undefined> {
  const rows = await database.single<StoredResponse>(actor.orgId, {
    name: 'idempotency_key_find',
    text: `SELECT fingerprint, status, headers, body, body_withheld FROM idempotency_keys
            WHERE org_id = $1 AND credential_id = $2 AND key = $3`,
    values: [actor.orgId, actor.credentialId, key],
  });
  return rows[0];
}

/**
 * Stores the response if the run still owns the key; returns false otherwise. Call it in the transaction of the work,
 * so that both commit or neither.
 */
export async function storeResponse(db: Db, owner: KeyOwner, response: StoredResponse): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'idempotency_key_keep_response',
    text: `UPDATE idempotency_keys SET fingerprint = $5, status = $6, headers = $7, body = $8, body_withheld = $9
            WHERE org_id = $1 AND credential_id = $2 AND key = $3 AND run_id = $4`,
    values: [
      owner.orgId,
      owner.credentialId,
      owner.key,
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
  await database.single(owner.orgId, {
    text: `UPDATE idempotency_keys SET leased_until = now() + $5 * interval '1 ms'
            WHERE org_id = $1 AND credential_id = $2 AND key = $3 AND run_id = $4 AND status IS NULL`,
    values: [owner.orgId, owner.credentialId, owner.key, owner.runId, leaseMs],
  });
}

/** Releases the key after a failure, so that the same call can be retried. A stored response stays. */
export async function releaseKey(database: Database, owner: KeyOwner): Promise<void> {
  await database.single(owner.orgId, {
    text: `DELETE FROM idempotency_keys
            WHERE org_id = $1 AND credential_id = $2 AND key = $3 AND run_id = $4 AND status IS NULL`,
    values: [owner.orgId, owner.credentialId, owner.key, owner.runId],
  });
}

const purgeBatch = 10_000;

/** Deletes the expired keys of all organizations and returns their number. Called by an hourly job. */
export async function purgeIdempotencyKeys(database: Database): Promise<number> {
  let purged = 0;
  for (;;) {
    const rows = await database.single<{ count: number }>(null, {
      text: 'SELECT purge_idempotency_keys($1) AS count',
      values: [purgeBatch],
    });
    purged += rows[0]!.count;
    if (rows[0]!.count < purgeBatch) return purged;
  }
}
