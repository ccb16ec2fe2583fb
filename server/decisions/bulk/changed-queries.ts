import { type LockedFinding, storedLifecycle } from '../../findings/merge-queries.ts';
import type { Db } from '../../platform/postgres/database.ts';

/** A finding's state before an operation, with a person's decision about it alone, and its version after the operation. */
export type ChangedFinding = { before: LockedFinding & { ownDecision: string | null }; version: number };

export async function insertChanged(tx: Db, orgId: string, id: string, changed: ChangedFinding[]): Promise<void> {
  if (changed.length === 0) return;
  const rows = changed.map(({ before, version }) => ({
    finding_id: before.id,
    version,
    before: storedLifecycle(before),
  }));
  await tx.query({
    name: 'bulk_operation_changes_insert',
    text: `INSERT INTO bulk_operation_changes (org_id, operation_id, finding_id, version, before)
           SELECT $1, $2, d.finding_id, d.version, d.before
           FROM json_to_recordset($3::json) AS d(finding_id text, version integer, before json)`,
    values: [orgId, id, JSON.stringify(rows)],
  });
}

/** Takes the next findings to restore, in locking order. */
export async function takeChanged(tx: Db, orgId: string, id: string, limit: number): Promise<ChangedFinding[]> {
  const { rows } = await tx.query<ChangedFinding>({
    name: 'bulk_operation_changes_take',
    // The last row is found first, so that the rest is one range of the key. As a join that was planned while the table
    // was empty, it compared each row with the whole list, and the undo of 40,000 changes timed out.
    text: `DELETE FROM bulk_operation_changes WHERE org_id = $1 AND operation_id = $2 AND finding_id <= (
             SELECT max(finding_id) FROM (SELECT finding_id FROM bulk_operation_changes
               WHERE org_id = $1 AND operation_id = $2 ORDER BY finding_id LIMIT $3) AS next)
           RETURNING version, before`,
    values: [orgId, id, limit],
  });
  return rows.map(({ before, version }) => {
    const { acceptedAgainUntil: until } = before;
    return { version, before: { ...before, acceptedAgainUntil: until === null ? null : Number(until) } };
  });
}
