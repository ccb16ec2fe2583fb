import { ApiError } from '../platform/errors.ts';
import type { Database } from '../platform/postgres/database.ts';
import { requireEmail } from './create-user.ts';
import { findOnlyOrganization, findUserByEmail, listMemberships, type Membership, type User } from './queries.ts';

/** Returns the person of that address. Throws `invalid_request`, `not_found`. */
export async function findAccount(database: Database, emailText: string): Promise<User> {
  const email = requireEmail(emailText);
  const user = await database.transaction(null, (tx) => findUserByEmail(tx, email));
  if (user) return user;
  throw new ApiError('not_found', `There is no user with the address ${email}. Create one with: assay user create`);
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
