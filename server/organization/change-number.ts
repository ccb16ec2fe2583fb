import { randomBytes } from 'node:crypto';
import type { Database, Db } from '../platform/postgres/database.ts';

const newMark = (): bigint => randomBytes(8).readBigInt64BE();

/** One in this many transactions removes the marks of earlier ones. */
const marksKept = 128n;

/**
 * Records that the transaction changes findings or data sources of the organization. It adds a row and waits for no
 * other transaction. Removed marks are replaced by a new unique one, so that no change number repeats.
 */
export async function noteChange(tx: Db, orgId: string, mark = newMark()): Promise<void> {
  if (mark % marksKept === 0n) {
    const { rows } = await tx.query<{ mark: string }>({
      name: 'organization_changes_lock',
      text: `SELECT mark::text FROM organization_changes WHERE org_id = $1 ORDER BY mark LIMIT 10000 FOR UPDATE SKIP LOCKED`,
      values: [orgId],
    });
    await tx.query({
      name: 'organization_changes_remove',
      text: 'DELETE FROM organization_changes WHERE org_id = $1 AND mark = ANY($2::bigint[])',
      values: [orgId, rows.map((row) => row.mark)],
    });
  }
  await tx.query({
    name: 'organization_change_note',
    text: 'INSERT INTO organization_changes (org_id, mark) VALUES ($1, $2)',
    values: [orgId, mark.toString()],
  });
}

/**
 * Returns the organization's change number: a text that stays the same until a change commits or the day (UTC) ends.
 * Results computed after reading it are valid until it changes.
 */
export async function readChangeNumber(database: Database, orgId: string): Promise<string> {
  const [row] = await database.single<{ number: string }>(orgId, {
    name: 'organization_change_number',
    text: `SELECT concat_ws(':', count(*), bit_xor(mark), (now() AT TIME ZONE 'UTC')::date) AS number
           FROM organization_changes WHERE org_id = $1`,
    values: [orgId],
  });
  return row!.number;
}
