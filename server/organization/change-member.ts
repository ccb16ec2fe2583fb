import { ApiError, notFound } from '../platform/errors.ts';
import type { Db } from '../platform/postgres/database.ts';
import { type AuditActor, recordAudit } from './audit.ts';
import { announceAuthenticationChange } from './authentication-changes.ts';
import { revokeInvitationsBy } from './invitation-queries.ts';
import {
  deleteMember,
  findMember,
  lockMembership,
  type MemberRow,
  revokeTokensOfMember,
  updateMemberRole,
} from './queries.ts';
import { mayGrant, type Role, roles } from './roles.ts';

/** The person who changes the membership: a member, whose role limits what they may do to others. */
export type Changer = AuditActor & { userId: string; role: Role };

const lastOwner = () =>
  new ApiError('conflict', 'This is the last owner of the organization. Make another member an owner first.');

/**
 * Locks the membership and returns the current role of `changer`, which may have been lowered while the request waited.
 * Throws `forbidden` if they are no longer a member.
 */
export async function lockAsMember(tx: Db, orgId: string, changer: Changer): Promise<Role> {
  await lockMembership(tx, orgId);
  const current = await findMember(tx, orgId, changer.userId);
  if (!current) throw new ApiError('forbidden', 'You are no longer a member of this organization.');
  return current.role;
}

/** Revokes the invitations that `member` may no longer make. `role` is their new role; null if they are removed. */
async function revokeInvitationsOf(
  tx: Db,
  orgId: string,
  changer: Changer,
  member: MemberRow,
  role: Role | null,
): Promise<void> {
  const forbidden = roles.filter((granted) => role === null || !mayGrant(role, granted));
  // With an old link to their own address, a removed member could return.
  const email = role === null ? member.email : null;
  for (const invitation of await revokeInvitationsBy(tx, orgId, member.id, { roles: forbidden, email })) {
    const details = { because: role === null ? 'inviter removed' : 'inviter lowered' };
    const target = { id: invitation.id, name: invitation.email };
    await recordAudit(tx, orgId, { actor: changer, action: 'invitation.revoked', target, details });
  }
}

/**
 * Returns a member whom `changer` may change, and the current role of `changer`. Throws `not_found`, and `forbidden`
 * for a member above that role. Locks the membership.
 */
export async function findChangeable(
  tx: Db,
  orgId: string,
  changer: Changer,
  userId: string,
): Promise<{ member: MemberRow; changerRole: Role }> {
  const changerRole = await lockAsMember(tx, orgId, changer);
  const member = await findMember(tx, orgId, userId);
  if (!member) throw notFound('Member');
  if (!mayGrant(changerRole, member.role)) {
    throw new ApiError(
      'forbidden',
      `Your role, ${changerRole}, does not allow changing a member who is ${member.role}.`,
    );
  }
  return { member, changerRole };
}

/**
 * Changes a member's role. Throws `not_found`, `forbidden` (nobody may change a member above their own role, or raise
 * anybody above it) and `conflict` for the last owner. Revokes invitations that the new role could not make.
 */
export async function changeMemberRole(
  tx: Db,
  orgId: string,
  changer: Changer,
  userId: string,
  role: Role,
): Promise<MemberRow> {
  const { member, changerRole } = await findChangeable(tx, orgId, changer, userId);
  if (!mayGrant(changerRole, role)) {
    throw new ApiError(
      'forbidden',
      `You cannot give a role above your own, which is ${changerRole}. Ask a person with that role.`,
    );
  }
  if (member.role === role) return member;
  if (!(await updateMemberRole(tx, orgId, userId, role))) throw lastOwner();
  await revokeInvitationsOf(tx, orgId, changer, member, role);
  await announceAuthenticationChange(tx);
  await recordAudit(tx, orgId, {
    actor: changer,
    action: 'member.role_changed',
    target: { id: userId, name: member.name },
    before: { role: member.role },
    after: { role },
  });
  return { ...member, role };
}

/**
 * Removes a member, their tokens of this organization and the invitations that they made. Throws the same errors as
 * `changeMemberRole`.
 */
export async function removeMember(tx: Db, orgId: string, changer: Changer, userId: string): Promise<void> {
  const { member } = await findChangeable(tx, orgId, changer, userId);
  if (!(await deleteMember(tx, orgId, userId))) throw lastOwner();
  await announceAuthenticationChange(tx);
  for (const token of await revokeTokensOfMember(tx, orgId, userId)) {
    const details = { because: 'member removed', user: userId };
    await recordAudit(tx, orgId, { actor: changer, action: 'token.revoked', target: token, details });
  }
  await revokeInvitationsOf(tx, orgId, changer, member, null);
  await recordAudit(tx, orgId, {
    actor: changer,
    action: 'member.removed',
    target: { id: userId, name: member.name },
    before: { email: member.email, role: member.role },
  });
}
