import type { Db } from '../platform/postgres/database.ts';

export const authenticationChannel = 'assay_authentication';

/**
 * Makes every node clear its cached permissions when this transaction commits. Call it with every change that reduces
 * or alters permissions: of a role, a membership, a token, an organization's limits. A trigger sends the notification
 * for ended sessions.
 */
export async function announceAuthenticationChange(tx: Db): Promise<void> {
  await tx.query({ text: 'SELECT pg_notify($1, $2)', values: [authenticationChannel, ''] });
}
