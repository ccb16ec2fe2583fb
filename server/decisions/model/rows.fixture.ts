import type { Database } from '../../platform/postgres/database.ts';

/** A finding of the model in the database. */
export type Row = {
  index: number;
  id: string;
  status: string;
  decision: string | null;
  rowVersion: number;
  updatedAt: string;
};

/** Returns the findings of an organization, ordered by id, by their place in the model. */
export async function readRows(database: Database, orgId: string): Promise<Map<number, Row>> {
  const rows = await database.single<Row>(orgId, {
    text: `SELECT right(title, 1)::integer AS index, id, status, decision_id AS decision, version AS "rowVersion",
             updated_at::text AS "updatedAt" FROM findings WHERE org_id = $1 ORDER BY id`,
    values: [orgId],
  });
  return new Map(rows.map((row) => [row.index, row]));
}

const times = {
  decisions: ['created_at', 'until', 'expires_at', 'ended_at', 'approved_at'],
  findings: ['updated_at', 'closed_at', 'reopened_at', 'accepted_until', 'accepted_again_until'],
  bulk_operations: ['created_at', 'updated_at', 'as_of', 'completed_at', 'undone_at'],
};

/** Moves the clock of an organization by moving all times that it is compared with the other way. */
export async function moveTimes(database: Database, orgId: string, hours: number): Promise<void> {
  const write = (text: string) => database.single(orgId, { text, values: [orgId, hours] });
  for (const [table, columns] of Object.entries(times)) {
    const moved = columns.map((name) => `${name} = ${name} - $2 * interval '1 hour'`).join(', ');
    await write(`UPDATE ${table} SET ${moved} WHERE org_id = $1`);
  }
  await write(`UPDATE bulk_operations SET change = jsonb_set(change::jsonb, '{accepted_until}',
      to_jsonb(to_char(((change->>'accepted_until')::timestamptz - $2 * interval '1 hour') AT TIME ZONE 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS"Z"')))::json
    WHERE org_id = $1 AND change->>'accepted_until' IS NOT NULL`);
}
