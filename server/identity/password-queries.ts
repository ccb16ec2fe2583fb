import { randomUUID } from 'node:crypto';
import type { Db } from '../platform/postgres/database.ts';

/** The validity of a generated password: it must be changed at the first sign-in. */
const initialPasswordHours = 24;

/** Records that a person chose their password. */
async function endInitialPassword(tx: Db, userId: string): Promise<void> {
  await tx.query({
    text: 'UPDATE users SET initial_password_until = NULL WHERE id = $1 AND initial_password_until IS NOT NULL',
    values: [userId],
  });
}

/** Records that a person's password was generated. */
export async function beginInitialPassword(tx: Db, userId: string): Promise<void> {
  await tx.query({
    text: 'UPDATE users SET initial_password_until = now() + make_interval(hours => $2) WHERE id = $1',
    values: [userId, initialPasswordHours],
  });
}

/** Sets a password that the person chose, and ends all their sessions. */
export async function replacePassword(tx: Db, userId: string, passwordHash: string): Promise<void> {
  await endInitialPassword(tx, userId);
  await tx.query({
    text: `INSERT INTO accounts (id, account_id, provider_id, user_id, password) VALUES ($1, $2, 'credential', $2, $3)
           ON CONFLICT (provider_id, account_id) DO UPDATE SET password = excluded.password, updated_at = excluded.updated_at`,
    values: [randomUUID(), userId, passwordHash],
  });
  await tx.query({ text: 'DELETE FROM sessions WHERE user_id = $1', values: [userId] });
  await deleteTrustedBrowsers(tx, userId);
}

/** Removes the trust in all browsers, so that each asks for a code again. */
export async function deleteTrustedBrowsers(tx: Db, userId: string): Promise<void> {
  await tx.query({
    text: `DELETE FROM verifications WHERE value = $1 AND identifier LIKE 'trust-device-%'`,
    values: [userId],
  });
}
