import { randomUUID } from 'node:crypto';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { deleteTrustedBrowsers } from '../password-queries.ts';

/** An encrypted secret and hashed recovery codes. */
export type StoredFactor = { secret: string; recoveryCodes: string };

/** The time within which a new second factor must be confirmed. */
const validMinutes = 30;

/** Stores an unconfirmed second factor separately from the active one. */
export async function putPendingFactor(tx: Db, userId: string, factor: StoredFactor): Promise<void> {
  await tx.query({
    text: `INSERT INTO pending_two_factors (user_id, secret, recovery_codes, expires_at)
           VALUES ($1, $2, $3, now() + make_interval(mins => $4))
           ON CONFLICT (user_id) DO UPDATE
           SET secret = excluded.secret, recovery_codes = excluded.recovery_codes, expires_at = excluded.expires_at`,
    values: [userId, factor.secret, factor.recoveryCodes, validMinutes],
  });
}

/** Returns the encrypted secret that awaits confirmation. */
export async function findPendingSecret(database: Database, userId: string): Promise<string | undefined> {
  const rows = await database.single<{ secret: string }>(null, {
    text: 'SELECT secret FROM pending_two_factors WHERE user_id = $1 AND expires_at > now()',
    values: [userId],
  });
  return rows[0]?.secret;
}

/**
 * Replaces the active second factor with the pending one. Returns whether there was one before; undefined when the
 * pending one has changed or expired.
 */
export async function confirmPendingFactor(
  tx: Db,
  userId: string,
  secret: string,
): Promise<{ isReplaced: boolean } | undefined> {
  const { rows } = await tx.query<{ recovery_codes: string }>({
    text: 'DELETE FROM pending_two_factors WHERE user_id = $1 AND secret = $2 AND expires_at > now() RETURNING recovery_codes',
    values: [userId, secret],
  });
  if (!rows[0]) return undefined;
  const isReplaced = await removeFactor(tx, userId);
  await tx.query({
    text: `INSERT INTO two_factors (id, user_id, secret, backup_codes, verified) VALUES ($1, $2, $3, $4, true)`,
    values: [randomUUID(), userId, secret, rows[0].recovery_codes],
  });
  await setFactorEnabled(tx, userId, true);
  return { isReplaced };
}

/** Removes the active second factor. Returns whether there was one. */
async function removeFactor(tx: Db, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: 'DELETE FROM two_factors WHERE user_id = $1 AND verified IS NOT FALSE',
    values: [userId],
  });
  await tx.query({ text: 'DELETE FROM two_factors WHERE user_id = $1', values: [userId] });
  await deleteTrustedBrowsers(tx, userId);
  return rowCount !== 0;
}

async function setFactorEnabled(tx: Db, userId: string, isEnabled: boolean): Promise<void> {
  await tx.query({
    text: 'UPDATE users SET two_factor_enabled = $2, updated_at = now() WHERE id = $1',
    values: [userId, isEnabled],
  });
}

/** Removes the second factor, including a pending one. Returns whether one was active. */
export async function deleteFactor(tx: Db, userId: string): Promise<boolean> {
  await tx.query({ text: 'DELETE FROM pending_two_factors WHERE user_id = $1', values: [userId] });
  const wasOn = await removeFactor(tx, userId);
  await setFactorEnabled(tx, userId, false);
  return wasOn;
}

/** Returns false when there is no second factor. */
export async function updateRecoveryCodes(tx: Db, userId: string, recoveryCodes: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: 'UPDATE two_factors SET backup_codes = $2 WHERE user_id = $1 AND verified IS NOT FALSE',
    values: [userId, recoveryCodes],
  });
  return rowCount === 1;
}

export async function deleteExpiredPendingFactors(database: Database): Promise<void> {
  await database.single(null, { text: 'DELETE FROM pending_two_factors WHERE expires_at < now()' });
}
