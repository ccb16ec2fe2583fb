import { type AuditActor, type AuditedAccount, recordAccountAudit } from '../../organization/audit.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { setOrganization } from '../../platform/postgres/statement.ts';
import { noticeAccount } from '../account-notices.ts';
import { deletePasskeys } from '../passkeys/passkey-queries.ts';
import { endTokens } from './retire-account.ts';

/**
 * Credentials that survive a new password, or the removal of another credential, unless the request says otherwise.
 */
export type FurtherAccess = { revoke_tokens?: boolean | undefined; remove_passkeys?: boolean | undefined };

export type EndedAccess = { revoked_tokens: number; removed_passkeys: number };

type By = { actor: AuditActor; because: string };

async function revokeTokens(tx: Db, { userId, orgIds, current }: AuditedAccount, by: By): Promise<number> {
  let revoked = 0;
  for (const orgId of orgIds) {
    await tx.query(setOrganization(orgId));
    revoked += await endTokens(tx, orgId, userId, by);
  }
  if (orgIds.length > 0) await tx.query(setOrganization(current));
  return revoked;
}

async function removePasskeys(tx: Db, account: AuditedAccount, { actor, because }: By): Promise<number> {
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

/** Revokes a person's API tokens in all organizations and removes their passkeys, if requested, and records it. */
export async function endFurtherAccess(
  tx: Db,
  account: AuditedAccount,
  wanted: FurtherAccess,
  by: By,
): Promise<EndedAccess> {
  const revoked_tokens = wanted.revoke_tokens ? await revokeTokens(tx, account, by) : 0;
  const removed_passkeys = wanted.remove_passkeys ? await removePasskeys(tx, account, by) : 0;
  if (revoked_tokens > 0) await announceAuthenticationChange(tx);
  return { revoked_tokens, removed_passkeys };
}
