import type { Db } from '../platform/postgres/database.ts';

export const authenticationChannel = 'assay_authentication';

/**
 * Has every node, at the commit of this transaction, forget what it remembers of who may do what. To be called with every
 * change that narrows or moves it: a role, a membership, a token, an organization's limits. The end of a session is
 * announced by a trigger.
 */
export async function announceAuthenticationChange(tx: Db): Promise<void> {
  await tx.query({ text: 'SELECT pg_notify($1, $2)', values: [authenticationChannel, ''] });
}
