import { type AuditActor, recordAudit } from '../../organization/audit.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import { findMember, revokeTokensOfMember } from '../../organization/queries.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { type Account, deleteCredentials, listAccounts, updateOutOfUse } from './account-queries.ts';

/** Ends the API tokens of a person in an organization, and records it. Returns how many there were. */
export async function endTokens(
  tx: Db,
  orgId: string,
  userId: string,
  by: { actor: AuditActor; because: string },
): Promise<number> {
  const revoked = await revokeTokensOfMember(tx, orgId, userId);
  for (const token of revoked) {
    const details = { because: by.because, user: userId };
    await recordAudit(tx, orgId, { actor: by.actor, action: 'token.revoked', target: token, details });
  }
  return revoked.length;
}

/**
 * Takes the account of a former member out of use, so that their address can get another one in this organization. Does
 * nothing for a member's.
 */
export async function retireFormerAccount(tx: Db, orgId: string, email: string): Promise<void> {
  const accounts = await listAccounts(tx, email);
  const former = accounts.find(({ verified, organizationId }) => !verified && organizationId === orgId);
  if (!former || (await findMember(tx, orgId, former.id))) return;
  await retireAccount(tx, former);
}

/** Takes an unverified account out of use: nothing leads into it any more. */
export async function retireAccount(tx: Db, { id }: Account): Promise<void> {
  await deleteCredentials(tx, id);
  await updateOutOfUse(tx, id);
  await announceAuthenticationChange(tx);
}
