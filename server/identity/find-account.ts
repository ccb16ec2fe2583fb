import { ApiError } from '../platform/errors.ts';
import type { Database } from '../platform/postgres/database.ts';
import { findAccountById, listAccounts } from './accounts/account-queries.ts';
import { requireEmail } from './create-user.ts';
import { findOnlyOrganization, listMemberships, type Membership, type User } from './queries.ts';

/**
 * Returns the account with this id or address. Throws `invalid_request`, `not_found`, and `conflict` when the address
 * has several accounts.
 */
export async function findAccount(database: Database, emailOrId: string): Promise<User> {
  const isId = emailOrId.startsWith('usr_');
  const email = isId ? '' : requireEmail(emailOrId);
  const accounts = await database.transaction(null, async (tx) =>
    isId ? [await findAccountById(tx, emailOrId)].filter((account) => account !== undefined) : listAccounts(tx, email),
  );
  const [account] = accounts;
  if (!account) {
    const what = isId ? `id ${emailOrId}` : `address ${email}`;
    throw new ApiError('not_found', `There is no user with the ${what}. Create one with: assay user create`);
  }
  if (accounts.length === 1) return { id: account.id, name: account.name, email: account.email };
  const names = accounts.map(({ id, organizationId }) => `${id} (${organizationId ?? 'verified'})`).join(', ');
  throw new ApiError('conflict', `${email} has several accounts. Name one by its id instead of the address: ${names}`);
}

/** Returns the named membership, or the only one. Throws `not_found`, and `conflict` when it is ambiguous. */
export async function findMembership(database: Database, user: User, orgId: string | undefined): Promise<Membership> {
  const memberships = await listMemberships(database, user.id);
  if (orgId !== undefined) {
    const named = memberships.find(({ org_id }) => org_id === orgId);
    if (named) return named;
    throw new ApiError('not_found', `${user.email} is not a member of an organization ${orgId}.`);
  }
  if (memberships.length === 1) return memberships[0]!;
  if (memberships.length === 0) throw new ApiError('not_found', `${user.email} belongs to no organization.`);
  const names = memberships.map(({ org_id, name }) => `${org_id} (${name})`).join(', ');
  throw new ApiError(
    'conflict',
    `${user.email} belongs to several organizations. Name one with --organization: ${names}`,
  );
}

/** Returns the named organization, or the only one. Throws `conflict` when it is ambiguous. */
export async function requireOrganization(database: Database, orgId: string | undefined): Promise<string> {
  const found = orgId ?? (await findOnlyOrganization(database));
  if (found !== null) return found;
  throw new ApiError('conflict', 'There is no single organization to choose. Name one with --organization ID.');
}
