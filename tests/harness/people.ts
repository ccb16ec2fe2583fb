import { insertVerifiedUser } from '../../server/identity/accounts/account-queries.ts';
import { issueToken } from '../../server/identity/issue-token.ts';
import { hashPassword } from '../../server/identity/password.ts';
import { createOrganization, newOrganizationId } from '../../server/organization/create-organization.ts';
import { insertMember } from '../../server/organization/queries.ts';
import type { Role, Scope } from '../../server/organization/roles.ts';
import type { Database } from '../../server/platform/postgres/database.ts';

// Separate from the API: tests that only need people would spend more than a second of processor time on loading it.

export const testBaseUrl = 'http://127.0.0.1:8080';
export const testPassword = 'correct horse battery';

export type Person = { orgId: string; userId: string; email: string; token: string };

let passwordHash: Promise<string> | undefined;
let people = 0;

/** Creates a person with a verified address who signs in with `testPassword`. */
export async function createPerson(database: Database, email = `person${++people}@example.com`) {
  passwordHash ??= hashPassword(testPassword);
  const user = { email, name: email.split('@')[0]!, passwordHash: await passwordHash };
  return database.transaction(null, async (tx) => (await insertVerifiedUser(tx, user))!);
}

/** Creates an organization with an owner and their token. */
export async function createTenant(database: Database, name = 'Example'): Promise<Person> {
  const owner = await createPerson(database);
  const orgId = newOrganizationId();
  await database.transaction(orgId, (tx) => createOrganization(tx, orgId, { name, ownerId: owner.id }));
  return { orgId, userId: owner.id, email: owner.email, token: await createTokenFor(database, orgId, owner.id) };
}

/** Creates a member of the organization and their token. */
export async function createTestMember(database: Database, orgId: string, role: Role): Promise<Person> {
  const user = await createPerson(database);
  await database.transaction(orgId, (tx) => insertMember(tx, orgId, user.id, role));
  return { orgId, userId: user.id, email: user.email, token: await createTokenFor(database, orgId, user.id) };
}

export async function createTokenFor(
  database: Database,
  orgId: string,
  userId: string,
  options: { scopes?: Scope[] } = {},
): Promise<string> {
  const wanted = { userId, name: 'Test', scopes: options.scopes ?? null, expiresAt: null };
  return (await database.transaction(orgId, (tx) => issueToken(tx, orgId, wanted))).token;
}
