import { randomBytes } from 'node:crypto';
import type pg from 'pg';

/** Invalidates the cached figures like any change of a finding: the next request computes them again. */
export async function changeNumber(client: pg.Client, orgId: string): Promise<void> {
  await client.query('INSERT INTO organization_changes (org_id, mark) VALUES ($1, $2)', [
    orgId,
    randomBytes(8).readBigInt64BE(),
  ]);
}
