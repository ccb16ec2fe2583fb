import type { FastifyRequest } from 'fastify';
import type { Actor } from '../platform/http/actor.ts';
import type { Database } from '../platform/postgres/database.ts';
import { auditActor, recordAudit } from './audit.ts';
import type { AuditState } from './audit-state.ts';

export type Exported = {
  action: 'findings.exported' | 'report.exported' | 'audit_log.exported';
  target: { id: string; name?: string | null };
  /** The format, the filters as they were sent, and the number of rows if known. */
  details: AuditState;
};

/**
 * Records that a caller exports data, before the first byte is sent: a file whose event can't be written is not sent.
 * HEAD sends nothing.
 */
export async function recordExport(
  database: Database,
  request: FastifyRequest,
  actor: Actor,
  exported: Exported,
): Promise<void> {
  if (request.method === 'HEAD') return;
  await database.transaction(actor.orgId, (tx) =>
    recordAudit(tx, actor.orgId, { actor: auditActor(actor), ...exported }),
  );
}
