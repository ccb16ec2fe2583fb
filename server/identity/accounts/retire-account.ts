import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import { findMember } from '../../organization/queries.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { type Account, deleteCredentials, listAccounts, updateOutOfUse } from './account-queries.ts';

/**
 * Retires the account of a former member, so that their address can get another one in this organization. Does
 * nothing for a current member. `tx` is a transaction of the organization, `people` one of people's tables.
 */
export async function retireFormerAccount(tx: Db, people: Db, orgId: string, email: string): Promise<void> {
  const accounts = await listAccounts(people, email);
  const former = accounts.find(({ verified, organizationId }) => !verified && organizationId === orgId);
  if (!former || (await findMember(tx, orgId, former.id))) return;
  await retireAccount(people, former);
}

/** Retires an unverified account: nobody can sign in to it any more. */
export async function retireAccount(tx: Db, { id }: Account): Promise<void> {
  await deleteCredentials(tx, id);
  await updateOutOfUse(tx, id);
  await announceAuthenticationChange(tx);
}
