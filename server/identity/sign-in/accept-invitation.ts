import { recordAudit } from '../../organization/audit.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import {
  acceptPendingInvitation,
  findInvitationByToken,
  findOpenInvitation,
} from '../../organization/invitation-queries.ts';
import { hashInvitationToken } from '../../organization/invitation-token.ts';
import { insertMember } from '../../organization/queries.ts';
import type { Role } from '../../organization/roles.ts';
import { ApiError, invalid } from '../../platform/errors.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { defaultName } from '../create-user.ts';
import { checkPassword, hashPassword } from '../password.ts';
import { findUserByEmail, insertUser, type User } from '../queries.ts';

export type AcceptedInvitation = { organizationId: string; user: User; role: Role; isNewUser: boolean };

const worthless = () =>
  new ApiError(
    'not_found',
    'This invitation is no longer open: it was used, replaced or revoked, or has expired. Ask for a new one.',
  );

async function findOrMakeUser(
  tx: Db,
  email: string,
  name: string | undefined,
  password: { text: string; hash: string } | null,
): Promise<{ user: User; isNewUser: boolean }> {
  const known = await findUserByEmail(tx, email);
  if (known) return { user: known, isNewUser: false };
  if (password === null) throw invalid('body', 'password', 'is needed: there is no account with this address yet');
  checkPassword(password.text, { email });
  const made = await insertUser(tx, { email, name: name ?? defaultName(email), passwordHash: password.hash });
  if (made) return { user: made, isNewUser: true };
  return { user: (await findUserByEmail(tx, email))!, isNewUser: false };
}

/**
 * Makes the holder of an invitation's link a member. A person without an account gets one with `name` and `password`;
 * an existing account keeps its own. An invitation can be used only once, even by simultaneous requests. Throws
 * `not_found` when the invitation is not open, `invalid_request` when a password is missing or not accepted.
 */
export async function acceptInvitation(
  database: Database,
  token: string,
  person: { name?: string; password?: string; address?: string },
): Promise<AcceptedInvitation> {
  const found = await database.transaction(null, (tx) => findInvitationByToken(tx, hashInvitationToken(token)));
  if (!found) throw worthless();
  if (person.password !== undefined) checkPassword(person.password);
  // Before the transaction, which must not wait for it; and after the look-up, so that an invented link costs almost
  // nothing.
  const { password: text } = person;
  const password = text === undefined ? null : { text, hash: await hashPassword(text) };
  const { org_id: orgId, invitation_id: id } = found;
  return database.transaction(orgId, async (tx) => {
    const invitation = await acceptPendingInvitation(tx, orgId, id);
    if (!invitation) throw worthless();
    const { user, isNewUser } = await findOrMakeUser(tx, invitation.email, person.name, password);
    await insertMember(tx, orgId, user.id, invitation.role);
    await announceAuthenticationChange(tx);
    await recordAudit(tx, orgId, {
      actor: { userId: user.id, tokenId: null, address: person.address ?? null },
      action: 'invitation.accepted',
      target: { id, name: invitation.email },
      after: { user: user.id, role: invitation.role },
    });
    return { organizationId: orgId, user, role: invitation.role, isNewUser };
  });
}

export type InvitationPreview = {
  email: string;
  organization: string;
  role: Role;
  invited_by: string | null;
  expires_at: Date;
  has_account: boolean;
};

/** Returns what the page behind an invitation's link shows. Throws `not_found` when the invitation is not open. */
export async function previewInvitation(database: Database, token: string): Promise<InvitationPreview> {
  const found = await database.transaction(null, (tx) => findInvitationByToken(tx, hashInvitationToken(token)));
  if (!found) throw worthless();
  const { org_id: orgId, invitation_id: id } = found;
  return database.transaction(orgId, async (tx) => {
    const invitation = await findOpenInvitation(tx, orgId, id);
    if (!invitation) throw worthless();
    return { ...invitation, has_account: (await findUserByEmail(tx, invitation.email)) !== undefined };
  });
}
