import { typeidUnboxed } from 'typeid-js';
import type { Actor } from '../platform/http/actor.ts';
import type { Db } from '../platform/postgres/database.ts';

/** The actor: a person, through a token or a session; `userId` null is the operator at the command line. */
export type AuditActor = { userId: string | null; tokenId: string | null };

export const operator: AuditActor = { userId: null, tokenId: null };

/** Returns the caller of a request, as the audit trail records it. */
export const auditActor = (actor: Actor): AuditActor => ({
  userId: actor.userId,
  tokenId: actor.kind === 'token' ? actor.credentialId : null,
});

export type AuditEvent = {
  actor: AuditActor;
  /** `noun.verb`, in the past: `member.removed`. */
  action: string;
  subjectId: string | null;
  /** Details of the event, never secrets. */
  details?: Record<string, unknown>;
};

/** Appends to the organization's audit trail. Call it in the transaction of the change that it records. */
export async function recordAudit(tx: Db, orgId: string, event: AuditEvent): Promise<void> {
  await tx.query({
    name: 'audit_event_insert',
    text: `INSERT INTO audit_events (org_id, id, user_id, token_id, action, subject_id, details)
           VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      orgId,
      typeidUnboxed('aud'),
      event.actor.userId,
      event.actor.tokenId,
      event.action,
      event.subjectId,
      JSON.stringify(event.details ?? {}),
    ],
  });
}
