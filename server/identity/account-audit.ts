import { type AuditActor, type AuditedAccount, recordAccountAudit } from '../organization/audit.ts';
import type { AuditAction } from '../organization/audit-actions.ts';
import type { AuditState } from '../organization/audit-state.ts';
import type { Db } from '../platform/postgres/database.ts';
import { findUser } from './queries.ts';

/**
 * Records what a person did with their own account. `by` is the session that they used, or the address of a person
 * without one.
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
