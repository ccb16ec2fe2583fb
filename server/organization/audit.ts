import type { Actor } from '../platform/http/actor.ts';
import { newId } from '../platform/id.ts';
import type { Db } from '../platform/postgres/database.ts';
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

/** An event as it is stored: without secrets, and only with the fields that changed. */
export type PreparedEvent = {
  userId: string | null;
  tokenId: string | null;
  address: string | null;
  action: AuditAction;
  subjectId: string;
  subjectName: string | null;
  before: AuditState | null;
  after: AuditState | null;
  details: AuditState;
};

/**
 * Returns the event to be stored; null if nothing changed (`before` equals `after`, and there are no `details`). Secrets
 * are redacted by the names of their fields, but do not rely on that.
 */
export function prepareAuditEvent({ actor, target, ...event }: AuditEvent): PreparedEvent | null {
  const { before, after } = changedFields(event.before, event.after);
  if (before && after && Object.keys(after).length === 0 && !event.details) return null;
  return {
    userId: actor.userId,
    tokenId: actor.tokenId,
    address: actor.address,
    action: event.action,
    subjectId: target.id,
    subjectName: target.name === undefined ? null : (cleanState(target.name) as string | null),
    before,
    after,
    details: cleanState(event.details ?? {}) as AuditState,
  };
}

/** Appends an event to the organization's audit log, unless the log has one with this id. */
export async function insertAuditEvent(tx: Db, orgId: string, id: string, event: PreparedEvent): Promise<void> {
  const { before, after } = event;
  await tx.query({
    name: 'audit_event_insert',
    text: `INSERT INTO audit_events
             (org_id, id, user_id, token_id, address, action, subject_id, subject_name, before, after, details)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (org_id, id) DO NOTHING`,
    values: [
      orgId,
      id,
      event.userId,
      event.tokenId,
      event.address,
      event.action,
      event.subjectId,
      event.subjectName,
      before && JSON.stringify(before),
      after && JSON.stringify(after),
      JSON.stringify(event.details),
    ],
  });
}

/**
 * Appends an event to the organization's audit log. Call it in the transaction of the change that it records. If
 * nothing changed, nothing is recorded.
 */
export async function recordAudit(tx: Db, orgId: string, event: AuditEvent): Promise<void> {
  const prepared = prepareAuditEvent(event);
  if (prepared) await insertAuditEvent(tx, orgId, newId('aud'), prepared);
}
