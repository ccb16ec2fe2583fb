import { ApiError, invalid, notFound } from '../platform/errors.ts';
import { newId } from '../platform/id.ts';
import type { Db } from '../platform/postgres/database.ts';
import { recordAudit } from './audit.ts';
import { type Changer, lockAsMember } from './change-member.ts';
import { normalizeEmail } from './email-address.ts';
import {
  findInvitation,
  findPendingInvitation,
  type InvitationRow,
  insertInvitation,
  renewInvitation,
  revokeInvitation,
  revokePendingInvitations,
} from './invitation-queries.ts';
import { findMemberByEmail } from './queries.ts';
import { mayGrant, type Role } from './roles.ts';

const invitationValidDays = 7;

/**
 * Invites an address, and replaces its pending invitation. The job `send-invitation`, which the caller enqueues in the
 * same transaction, sends the mail. Throws `invalid_request`, `forbidden` (if the role, or that of the replaced
 * invitation, is above the inviter's) and `already_exists` for a member's address.
 */
export async function invitePerson(
  tx: Db,
  orgId: string,
  inviter: Changer,
  invitation: { email: string; role: Role },
): Promise<InvitationRow> {
  const email = normalizeEmail(invitation.email);
  if (email === null) throw invalid('body', 'email', 'must be an email address such as name@example.com');
  const inviterRole = await requireInvitable(tx, orgId, inviter, { email, role: invitation.role });
  const pending = await findPendingInvitation(tx, orgId, email);
  if (pending) requireRevocable(inviterRole, pending.role);
  const id = newId('inv');
  for (const replaced of await revokePendingInvitations(tx, orgId, email)) {
    const target = { id: replaced.id, name: replaced.email };
    const details = { because: 'replaced', replaced_by: id };
    await recordAudit(tx, orgId, { actor: inviter, action: 'invitation.revoked', target, details });
  }
  await insertInvitation(tx, orgId, {
    id,
    email,
    role: invitation.role,
    invitedBy: inviter.userId,
    validDays: invitationValidDays,
  });
  await recordAudit(tx, orgId, {
    actor: inviter,
    action: 'invitation.created',
    target: { id, name: email },
    after: { email, role: invitation.role },
  });
  return (await findInvitation(tx, orgId, id))!;
}

/** Throws `forbidden` for an invitation that this role could not have made. */
function requireRevocable(changerRole: Role, role: Role): void {
  if (mayGrant(changerRole, role)) return;
  throw new ApiError(
    'forbidden',
    `Your role, ${changerRole}, does not allow replacing or revoking an invitation as ${role}. Ask a person with that role.`,
  );
}

/**
 * Locks the membership and returns the inviter's role. Throws `forbidden` for a role above it, `already_exists` for a
 * member's address.
 */
async function requireInvitable(
  tx: Db,
  orgId: string,
  inviter: Changer,
  { email, role }: { email: string; role: Role },
): Promise<Role> {
  const inviterRole = await lockAsMember(tx, orgId, inviter);
  if (!mayGrant(inviterRole, role)) {
    throw new ApiError(
      'forbidden',
      `You cannot invite with a role above your own, which is ${inviterRole}. Choose a lower role.`,
    );
  }
  const member = await findMemberByEmail(tx, orgId, email);
  if (!member) return inviterRole;
  const message = `${email} is already a member of this organization.`;
  throw new ApiError('already_exists', message, {
    details: [{ in: 'body', field: 'email', message, id: member.id }],
  });
}

const noLongerOpen = () =>
  new ApiError('conflict', 'This invitation is no longer open: it was accepted or revoked. Invite the person again.');

/**
 * Makes an invitation valid for another week; the caller creates its new link, and the old one stops working. Throws
 * `not_found`, `conflict` if it was accepted or revoked, and the errors of `invitePerson`.
 */
export async function resendInvitation(tx: Db, orgId: string, changer: Changer, id: string): Promise<InvitationRow> {
  const invitation = await findInvitation(tx, orgId, id);
  if (!invitation) throw notFound('Invitation');
  if (invitation.status === 'accepted' || invitation.status === 'revoked') throw noLongerOpen();
  await requireInvitable(tx, orgId, changer, invitation);
  if (!(await renewInvitation(tx, orgId, id, invitationValidDays))) throw noLongerOpen();
  const renewed = (await findInvitation(tx, orgId, id))!;
  await recordAudit(tx, orgId, {
    actor: changer,
    action: 'invitation.resent',
    target: { id, name: invitation.email },
    before: { expires_at: invitation.expires_at },
    after: { expires_at: renewed.expires_at },
  });
  return renewed;
}

/**
 * Revokes an invitation. Throws `not_found`, `forbidden` for a role above the changer's, and `conflict` if it was
 * already accepted or revoked.
 */
export async function withdrawInvitation(tx: Db, orgId: string, changer: Changer, id: string): Promise<void> {
  const changerRole = await lockAsMember(tx, orgId, changer);
  const invitation = await findInvitation(tx, orgId, id);
  if (!invitation) throw notFound('Invitation');
  requireRevocable(changerRole, invitation.role);
  if (!(await revokeInvitation(tx, orgId, id))) {
    throw new ApiError('conflict', 'This invitation is no longer open: it was accepted or revoked.');
  }
  await recordAudit(tx, orgId, {
    actor: changer,
    action: 'invitation.revoked',
    target: { id, name: invitation.email },
  });
}
