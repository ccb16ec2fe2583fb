import type { Db } from '../../platform/postgres/database.ts';
import { type ChangedAccount, recordAccountAudit, revokeTokens } from '../account-changes/change-account.ts';
import type { Cause } from '../account-changes/follow-up-queries.ts';
import { noticeAccount } from '../account-notices.ts';
import { deletePasskeys } from '../passkeys/passkey-queries.ts';

/**
 * Credentials that survive a new password, or the removal of another credential, unless the request says otherwise.
 */
export type FurtherAccess = { revoke_tokens?: boolean | undefined; remove_passkeys?: boolean | undefined };

export type EndedAccess = { revoked_tokens: number; removed_passkeys: number };

async function removePasskeys(tx: Db, account: ChangedAccount, { actor, because }: Cause): Promise<number> {
  const { userId } = account;
  const removed = await deletePasskeys(tx, userId);
  for (const { id, name } of removed) {
    const details = { passkey: id, name, because };
    const target = { id: userId };
    await recordAccountAudit(tx, account, { actor, action: 'account.passkey_removed', target, details });
  }
  if (removed.length > 0) await noticeAccount(tx, 'passkey_removed', { userId, address: actor.address });
  return removed.length;
}

/**
 * Removes a person's passkeys, and revokes their API tokens in all organizations once the transaction has committed, if
 * requested, and records it. Returns the number of removed passkeys.
 */
export async function endFurtherAccess(
  tx: Db,
  account: ChangedAccount,
  wanted: FurtherAccess,
  cause: Cause,
): Promise<number> {
  if (wanted.revoke_tokens) await revokeTokens(tx, account, cause);
  return wanted.remove_passkeys ? await removePasskeys(tx, account, cause) : 0;
}

/** Returns what a change has ended, once it has committed. */
export const endedAccess = ({ account, removed }: { account: ChangedAccount; removed: number }): EndedAccess => ({
  revoked_tokens: account.revokedTokens,
  removed_passkeys: removed,
});
