import { type AuditActor, findAuditedAccount, recordAccountAudit } from '../../organization/audit.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { replacePassword } from '../password-queries.ts';
import { type Account, deleteCredentials, updateVerifiedEmail } from './account-queries.ts';
import { endTokens } from './retire-account.ts';

/**
 * Gives an unverified account to the person who has verified that `email` is theirs. A former owner loses all access:
 * password, sessions, passkeys, second factor, single sign-on and API tokens. Returns false when the address has a
 * verified account already: then this one stays unverified, and the person can join the two. The transaction must
 * belong to the account's organization.
 */
export async function claimAccount(
  tx: Db,
  account: Account,
  by: { email: string; passwordHash: string | null; address: string },
): Promise<boolean> {
  const { id, name, organizationId } = account;
  const audited = await findAuditedAccount(tx, id);
  const actor: AuditActor = { userId: id, tokenId: null, address: by.address };
  await deleteCredentials(tx, id);
  if (organizationId !== null) await endTokens(tx, organizationId, id, { actor, because: 'address verified' });
  if (by.passwordHash !== null) await replacePassword(tx, id, by.passwordHash);
  const isVerified = await updateVerifiedEmail(tx, id, by.email);
  await announceAuthenticationChange(tx);
  const details = { email: by.email, verified: isVerified };
  await recordAccountAudit(tx, audited, { actor, action: 'account.claimed', target: { id, name }, details });
  return isVerified;
}
