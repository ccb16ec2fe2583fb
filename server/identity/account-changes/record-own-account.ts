import type { AuditActor } from '../../organization/audit.ts';
import type { AuditAction } from '../../organization/audit-actions.ts';
import type { AuditState } from '../../organization/audit-state.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { type FactorNotice, noticeAccount } from '../account-notices.ts';
import { findUser } from '../queries.ts';
import { type ChangedAccount, recordAccountAudit } from './change-account.ts';

/**
 * Records an action of a person on their own account. `by` is their session, or the client's address when there is
 * none.
 */
export async function recordOwnAccount(
  tx: Db,
  account: ChangedAccount,
  by: AuditActor | { address: string },
  action: AuditAction,
  details?: AuditState,
): Promise<void> {
  const { userId } = account;
  const actor = 'userId' in by ? by : { userId, tokenId: null, address: by.address };
  const name = (await findUser(tx, userId))?.name ?? null;
  await recordAccountAudit(tx, account, { actor, action, target: { id: userId, name }, ...(details && { details }) });
}

/** Records a change of a person's second factor, and mails the person. */
export async function recordFactorChange(
  tx: Db,
  account: ChangedAccount,
  address: string | null,
  notice: FactorNotice,
): Promise<void> {
  const { userId } = account;
  await recordOwnAccount(tx, account, { userId, tokenId: null, address }, `account.${notice}`);
  await noticeAccount(tx, notice, { userId, address });
}
