import { normalizeEmail } from '../organization/email-address.ts';
import { newId } from '../platform/id.ts';
import { toName } from '../platform/name.ts';
import type { Database } from '../platform/postgres/database.ts';
import { changeAccount, joinOrganization } from './account-changes/change-account.ts';
import {
  findUserOfAccount,
  insertProvidedUser,
  linkProvidedAccount,
  listAccounts,
  lockAccount,
} from './accounts/account-queries.ts';
import { claimAccount } from './accounts/claim-account.ts';
import { defaultName } from './create-user.ts';
import type { ProvidedPerson, SingleSignOnSettings } from './library/single-sign-on.ts';
import { findFirstOrganization } from './queries.ts';

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1);

/**
 * Returns the person who has verified `email` at the provider: the owner of the account there, else of the verified
 * account of the address. Otherwise, an unverified account in the organization of single sign-on becomes theirs, or
 * with `anyOrganization` one in any organization. Undefined without an account.
 */
async function findPerson(
  database: Database,
  { email, accountId }: { email: string; accountId: string },
  by: { orgId: string | null; anyOrganization: boolean; address: string },
): Promise<string | undefined> {
  const known = await database.transaction(null, async (tx) => {
    const userId = await findUserOfAccount(tx, accountId);
    if (userId !== undefined) return { userId, account: undefined };
    const accounts = await listAccounts(tx, email);
    const ofOrganization = accounts.find(
      ({ organizationId }) => organizationId !== null && organizationId === by.orgId,
    );
    const account = accounts.find(({ verified }) => verified) ?? ofOrganization;
    return { userId: undefined, account: account ?? (by.anyOrganization ? accounts[0] : undefined) };
  });
  if (!known.account) return known.userId;
  const { id } = known.account;
  return changeAccount({ database }, id, async (tx, account) => {
    const current = await lockAccount(tx, id);
    if (!current) return undefined;
    const isTheirs =
      current.verified ||
      (await claimAccount(tx, account, current, { email, passwordHash: null, address: by.address }));
    if (!isTheirs) return undefined;
    await linkProvidedAccount(tx, id, accountId);
    return id;
  });
}

/**
 * Returns the person whom the provider identified: by their account there, else by their verified address. A person
 * of an allowed domain without an account gets one and becomes a member; a removed member stays removed. Null when
 * the person must not sign in.
 */
export async function admitPerson(
  database: Database,
  settings: SingleSignOnSettings,
  provided: ProvidedPerson,
  address: string,
): Promise<string | null> {
  const email = provided.email === null ? null : normalizeEmail(provided.email);
  const domains = settings.allowedDomains;
  if (email === null || (domains.length > 0 && !domains.includes(domainOf(email)))) return null;
  const orgId = await findFirstOrganization(database);
  const { accountId } = provided;
  const known = await findPerson(
    database,
    { email, accountId },
    { orgId, anyOrganization: domains.length === 0, address },
  );
  if (known !== undefined) return known;
  if (domains.length === 0 || orgId === null) return null;
  const name = toName(provided.name ?? '') || defaultName(email);
  const userId = newId('usr');
  return changeAccount({ database }, userId, async (tx, account) => {
    if (!(await insertProvidedUser(tx, { id: userId, name, email, accountId }))) return null;
    await joinOrganization(tx, account, orgId, settings.role, {
      actor: { userId, tokenId: null, address },
      action: 'member.joined',
      target: { id: userId, name },
      after: { email, role: settings.role },
    });
    return userId;
  });
}
