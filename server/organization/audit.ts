import type { Actor } from '../platform/http/actor.ts';
import { newId } from '../platform/id.ts';
import type { Db } from '../platform/postgres/database.ts';
import { setOrganization } from '../platform/postgres/statement.ts';
import type { AuditAction } from './audit-actions.ts';
import { type AuditState, changedFields, cleanState } from './audit-state.ts';

/**
 * The cause of a change: a person in the console, a person's API token or, with `userId` null, the system (the operator
 * at the command line, or the platform itself). `address` is the client's IP address; null for the system.
 */
export type AuditActor = { userId: string | null; tokenId: string | null; address: string | null };

/** The operator at the command line. */
export const operator: AuditActor = { userId: null, tokenId: null, address: null };

/** Returns the caller of a request, as the audit log records it. */
export const auditActor = (actor: Actor): AuditActor => ({
  userId: actor.userId,
  tokenId: actor.kind === 'token' ? actor.credentialId : null,
  address: actor.address,
});

export type AuditEvent = {
  actor: AuditActor;
  action: AuditAction;
  /** The changed object with its name at that time: it may have been deleted when the log is read. */
  target: { id: string; name?: string | null };
  /**
   * The state before and after the change, with the field names of the API. Pass whole states: with both, only the
   * fields that differ are recorded. Omit `before` for a new object and `after` for a deleted one.
   */
  before?: AuditState | null;
  after?: AuditState | null;
  /** Circumstances that are not part of the state, such as a reason or a count. */
  details?: AuditState;
};

/**
 * Appends an event to the organization's audit log. Call it in the transaction of the change that it records. Secrets
 * are redacted by the names of their fields, but do not rely on that. If nothing changed (`before` equals `after`, and
 * there are no `details`), nothing is recorded.
 */
export async function recordAudit(tx: Db, orgId: string, event: AuditEvent): Promise<void> {
  const { actor, target } = event;
  const { before, after } = changedFields(event.before, event.after);
  if (before && after && Object.keys(after).length === 0 && !event.details) return;
  await tx.query({
    name: 'audit_event_insert',
    text: `INSERT INTO audit_events
             (org_id, id, user_id, token_id, address, action, subject_id, subject_name, before, after, details)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      orgId,
      newId('aud'),
      actor.userId,
      actor.tokenId,
      actor.address,
      event.action,
      target.id,
      target.name === undefined ? null : cleanState(target.name),
      before && JSON.stringify(before),
      after && JSON.stringify(after),
      JSON.stringify(cleanState(event.details ?? {})),
    ],
  });
}

/** A person with the organizations in which events of the account are recorded. */
export type AuditedAccount = { userId: string; orgIds: string[]; current: string | null };

/** Finds the organizations of a person, for `recordAccountAudit`. */
export async function findAuditedAccount(tx: Db, userId: string): Promise<AuditedAccount> {
  const { rows } = await tx.query<{ org_id: string; current: string | null }>({
    name: 'audit_organizations_of_user',
    // In a fixed order, so that the events of two people cannot deadlock at COMMIT.
    text: `SELECT org_id, current_setting('app.org_id', true) AS current FROM memberships_of_user($1) ORDER BY org_id`,
    values: [userId],
  });
  return { userId, orgIds: rows.map(({ org_id }) => org_id), current: rows[0]?.current || null };
}

/**
 * Records an event of a person's account, such as a sign-in or a new password, in every organization of the person:
 * accounts belong to no organization, and each organization needs a record of what happens to its members. The
 * transaction's organization stays the same.
 */
export async function recordAccountAudit(
  tx: Db,
  { orgIds, current }: AuditedAccount,
  event: AuditEvent,
): Promise<void> {
  for (const orgId of orgIds) {
    await tx.query(setOrganization(orgId));
    await recordAudit(tx, orgId, event);
  }
  if (orgIds.length > 0) await tx.query(setOrganization(current));
}
