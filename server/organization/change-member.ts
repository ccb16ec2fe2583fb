import { ApiError, notFound } from '../platform/errors.ts';
import type { Db } from '../platform/postgres/database.ts';
import { recordAudit } from './audit.ts';
import { announceAuthenticationChange } from './authentication-changes.ts';
import {
  deleteMember,
  findMember,
  lockMembership,
  type MemberRow,
  revokeTokensOfMember,
  updateMemberRole,
} from './queries.ts';
import { mayGrant, type Role } from './roles.ts';

/** Who changes the membership: a member, with the role that bounds what they may do to others. */
export type Changer = { userId: string; tokenId: string | null; role: Role };

const lastOwner = () =>
  new ApiError('conflict', 'This is the last owner of the organization. Make another member an owner first.');

async function findChangeable(tx: Db, orgId: string, changer: Changer, userId: string): Promise<MemberRow> {
  await lockMembership(tx, orgId);
  const member = await findMember(tx, orgId, userId);
  if (!member) throw notFound('Member');
  if (!mayGrant(changer.role, member.role)) {
    throw new ApiError(
      'forbidden',
      `Only an ${member.role} can change an ${member.role}; your role is ${changer.role}.`,
    );
  }
  return member;
}

/**
 * Gives a member another role. Throws `not_found`, `forbidden` (nobody changes somebody above their own role, or raises
 * anybody above it) and `conflict` for the last owner.
 */
export async function changeMemberRole(
  tx: Db,
  orgId: string,
  changer: Changer,
  userId: string,
  role: Role,
): Promise<MemberRow> {
  const member = await findChangeable(tx, orgId, changer, userId);
  if (!mayGrant(changer.role, role)) {
    throw new ApiError('forbidden', `Nobody can raise a member above their own role; yours is ${changer.role}.`);
  }
  if (member.role === role) return member;
  if (!(await updateMemberRole(tx, orgId, userId, role))) throw lastOwner();
  await announceAuthenticationChange(tx);
  await recordAudit(tx, orgId, {
    actor: changer,
    action: 'member.role_changed',
    subjectId: userId,
    details: { from: member.role, to: role },
  });
  return { ...member, role };
}

/** Ends a membership; the person's tokens of this organization end with it. Throws as `changeMemberRole` does. */
export async function removeMember(tx: Db, orgId: string, changer: Changer, userId: string): Promise<void> {
  const member = await findChangeable(tx, orgId, changer, userId);
  if (!(await deleteMember(tx, orgId, userId))) throw lastOwner();
  await announceAuthenticationChange(tx);
  await revokeTokensOfMember(tx, orgId, userId);
  await recordAudit(tx, orgId, {
    actor: changer,
    action: 'member.removed',
    subjectId: userId,
    details: { role: member.role },
  });
}
