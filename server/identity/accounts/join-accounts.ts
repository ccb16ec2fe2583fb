import { type AuditActor, recordAudit } from '../../organization/audit.ts';
import { announceAuthenticationChange } from '../../organization/authentication-changes.ts';
import {
  deleteMember,
  findMember,
  insertMember,
  lockMembership,
  updateMemberRole,
} from '../../organization/queries.ts';
import { isAtLeast, type Role } from '../../organization/roles.ts';
import { ApiError } from '../../platform/errors.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { endTokens } from '../account-changes/end-tokens.ts';
import { type Account, findAccountById, listAccounts, lockAccount } from './account-queries.ts';
import { moveWorkOf } from './join-queries.ts';
import { moveAssignmentsJobType } from './move-assignments-job-type.ts';
import { retireAccount } from './retire-account.ts';

const notJoinable = () =>
  new ApiError(
    'conflict',
    'These accounts cannot be joined. One must have a verified address, the other the same address in one organization.',
  );

/** Lists the other accounts of a verified account's address; none for an unverified account. */
export async function listOtherAccounts(tx: Db, userId: string): Promise<Account[]> {
  const own = await findAccountById(tx, userId);
  if (!own?.verified) return [];
  return (await listAccounts(tx, own.email)).filter(({ id }) => id !== userId);
}

/** Makes `into` a member of the organization, with the higher role of the two accounts. */
async function takeOverMembership(tx: Db, orgId: string, from: Account, into: Account): Promise<Role | null> {
  const [theirs, own] = [await findMember(tx, orgId, from.id), await findMember(tx, orgId, into.id)];
  if (!theirs) return null;
  await insertMember(tx, orgId, into.id, theirs.role);
  if (own && !isAtLeast(own.role, theirs.role)) await updateMemberRole(tx, orgId, into.id, theirs.role);
  await moveWorkOf(tx, orgId, from.id, into.id);
  await enqueue(tx, moveAssignmentsJobType, { org_id: orgId, from: from.id, into: into.id });
  await deleteMember(tx, orgId, from.id);
  return theirs.role;
}

/** Returns two accounts that belong together. Throws `conflict` for others. */
async function findJoinable(tx: Db, { fromId, intoId }: { fromId: string; intoId: string }) {
  const [from, into] = [await findAccountById(tx, fromId), await findAccountById(tx, intoId)];
  if (!from?.organizationId || !into?.verified || from.email !== into.email) throw notJoinable();
  return { from, into, orgId: from.organizationId };
}

/**
 * Joins an unverified account into the verified one of the same address, when the person has a session of each. Its
 * membership and assignments move, its API tokens are revoked, and nobody can sign in to it any more. Throws
 * `conflict` for accounts that do not belong together. If the process dies in between, the former account has no
 * membership left, and can be joined again.
 */
export async function joinAccounts(
  database: Database,
  ids: { fromId: string; intoId: string },
  address: string,
): Promise<void> {
  const { from, into, orgId } = await database.transaction(null, (tx) => findJoinable(tx, ids));
  await database.transaction(orgId, async (tx) => {
    await lockMembership(tx, orgId);
    const role = await takeOverMembership(tx, orgId, from, into);
    const actor: AuditActor = { userId: into.id, tokenId: null, address };
    await endTokens(tx, orgId, from.id, { actor, because: 'account joined' });
    await announceAuthenticationChange(tx);
    const target = { id: from.id, name: from.name };
    await recordAudit(tx, orgId, { actor, action: 'account.joined', target, details: { into: into.id, role } });
  });
  await database.transaction(null, async (tx) => {
    const former = await lockAccount(tx, from.id);
    if (former && !former.verified) await retireAccount(tx, former);
  });
}
