import { recordAudit } from '../organization/audit.ts';
import { announceAuthenticationChange } from '../organization/authentication-changes.ts';
import { normalizeEmail } from '../organization/email-address.ts';
import { insertMember } from '../organization/queries.ts';
import { toName } from '../platform/name.ts';
import type { Database } from '../platform/postgres/database.ts';
import { defaultName } from './create-user.ts';
import {
  findFirstOrganization,
  findUserByEmail,
  findUserOfAccount,
  insertProvidedUser,
  linkProvidedAccount,
} from './queries.ts';
import type { ProvidedPerson, SingleSignOnSettings } from './single-sign-on.ts';

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1);

/**
 * Returns the person whom the provider named: by their account there, else by their verified address. A person of an
 * allowed domain without an account gets one, and becomes a member; nobody else does, and a removed member stays removed.
 * Null when this person may not sign in.
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
  const known = await database.transaction(null, async (tx) => {
    const userId = await findUserOfAccount(tx, provided.accountId);
    if (userId !== undefined) return userId;
    const user = await findUserByEmail(tx, email);
    if (user) await linkProvidedAccount(tx, user.id, provided.accountId);
    return user?.id;
  });
  if (known !== undefined) return known;
  const orgId = settings.organization ?? (await findFirstOrganization(database));
  if (domains.length === 0 || orgId === null) return null;
  const name = toName(provided.name ?? '') || defaultName(email);
  return database.transaction(orgId, async (tx) => {
    const userId = await insertProvidedUser(tx, { name, email, accountId: provided.accountId });
    if (userId === undefined) return null;
    await insertMember(tx, orgId, userId, settings.role);
    await announceAuthenticationChange(tx);
    await recordAudit(tx, orgId, {
      actor: { userId, tokenId: null, address },
      action: 'member.joined',
      target: { id: userId, name },
      after: { email, role: settings.role },
    });
    return userId;
  });
}
