import { newId } from '../platform/id.ts';
import type { Db } from '../platform/postgres/database.ts';
import { type AuditActor, operator, recordAudit } from './audit.ts';
import { insertMember, insertOrganization } from './queries.ts';

/** Generates the id of a new organization: `transaction(id, …)` needs it before the row exists. */
export const newOrganizationId = (): string => newId('org');

/** Creates an organization and its first owner. Run it in a transaction of that organization. */
export async function createOrganization(
  tx: Db,
  orgId: string,
  organization: { name: string; ownerId: string },
  actor: AuditActor = operator,
): Promise<void> {
  await insertOrganization(tx, orgId, organization.name);
  await insertMember(tx, orgId, organization.ownerId, 'owner');
  await recordAudit(tx, orgId, {
    actor,
    action: 'organization.created',
    target: { id: orgId, name: organization.name },
    after: { name: organization.name, owner: organization.ownerId },
  });
}
