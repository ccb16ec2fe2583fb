import { noteChange } from '../../organization/change-number.ts';
import type { Db } from '../../platform/postgres/database.ts';

/** Moves an account's private views and data source ownerships to another account. */
export async function moveWorkOf(tx: Db, orgId: string, fromId: string, intoId: string): Promise<void> {
  await tx.query({
    // Names of private views are unique for each person.
    text: `UPDATE finding_views v SET private_to = $3, owner_id = $3,
             name = CASE WHEN EXISTS (SELECT FROM finding_views o WHERE o.org_id = $1 AND o.private_to = $3
                                      AND lower(o.name) = lower(v.name))
                         THEN left(v.name, 170) || ' ' || v.id ELSE v.name END
           WHERE v.org_id = $1 AND v.private_to = $2`,
    values: [orgId, fromId, intoId],
  });
  await tx.query({
    text: 'UPDATE data_sources SET owner_id = $3 WHERE org_id = $1 AND owner_id = $2',
    values: [orgId, fromId, intoId],
  });
  await noteChange(tx, orgId);
}
