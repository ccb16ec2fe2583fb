import type { AuditActor } from '../../organization/audit.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { type ChangedAccount, recordAccountAudit, revokeTokens } from '../account-changes/change-account.ts';
import { replacePassword } from '../password-queries.ts';
import { type Account, deleteCredentials, updateVerifiedEmail } from './account-queries.ts';

/**
 * Gives an unverified account to the person who has verified that `email` is theirs. A former owner loses all access:
 * password, sessions, passkeys, second factor, single sign-on and API tokens. Returns false when the address has a
 * verified account already: then this one stays unverified, and the person can join the two.
 */
export async function claimAccount(
  tx: Db,
  changed: ChangedAccount,
  account: Account,
  by: { email: string; passwordHash: string | null; address: string },
): Promise<boolean> {
  const { id, name, organizationId } = account;
  const actor: AuditActor = { userId: id, tokenId: null, address: by.address };
  await deleteCredentials(tx, id);
  if (organizationId !== null)
    await revokeTokens(tx, changed, { actor, because: 'address verified' }, [organizationId]);
  if (by.passwordHash !== null) await replacePassword(tx, id, by.passwordHash);
  const isVerified = await updateVerifiedEmail(tx, id, by.email);
  await announceAuthenticationChange(tx);
  const details = { email: by.email, verified: isVerified };
  await recordAccountAudit(tx, changed, { actor, action: 'account.claimed', target: { id, name }, details });
  return isVerified;
}
