import { findAuditedAccount, recordAudit } from '../../organization/audit.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import { type Changer, findChangeable } from '../../organization/change-member.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { deleteSessionsOf } from '../user-access/user-access-queries.ts';
import { findMemberAccess, updateSessionsFrom } from './queries.ts';

/**
 * Ends the sessions of a member for this organization. Those of a person of several organizations still reach the
 * others. Throws `not_found`, and `forbidden` for a member above the role of `changer`.
 */
export async function endSessionsOfMember(tx: Db, orgId: string, changer: Changer, userId: string): Promise<void> {
  const { orgIds } = await findAuditedAccount(tx, userId);
  const { member } = await findChangeable(tx, orgId, changer, userId);
  const former = await findMemberAccess(tx, orgId, userId);
  const sessionsFrom = await updateSessionsFrom(tx, orgId, userId);
  const isOnlyHere = orgIds.length === 1 && orgIds[0] === orgId;
  if (isOnlyHere) await deleteSessionsOf(tx, userId);
  await announceAuthenticationChange(tx);
  await recordAudit(tx, orgId, {
    actor: changer,
    action: 'member.sessions_ended',
    target: { id: userId, name: member.name },
    before: { sessions_from: former?.sessions_from ?? null },
    after: { sessions_from: sessionsFrom },
  });
}
