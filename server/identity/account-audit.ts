import { type AuditActor, type AuditedAccount, recordAccountAudit } from '../organization/audit.ts';
import type { AuditAction } from '../organization/audit-actions.ts';
import type { AuditState } from '../organization/audit-state.ts';
import type { Db } from '../platform/postgres/database.ts';
import { findUser } from './queries.ts';

/**
 * Records an action of a person on their own account. `by` is their session, or the client's address when there is
 * none.
 */
export async function recordOwnAccount(
  tx: Db,
  account: AuditedAccount,
  by: AuditActor | { address: string },
  action: AuditAction,
  details?: AuditState,
): Promise<void> {
  const { userId } = account;
  const actor = 'userId' in by ? by : { userId, tokenId: null, address: by.address };
  const name = (await findUser(tx, userId))?.name ?? null;
  await recordAccountAudit(tx, account, { actor, action, target: { id: userId, name }, ...(details && { details }) });
}
