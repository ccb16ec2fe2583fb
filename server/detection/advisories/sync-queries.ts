import type { Db } from '../../platform/postgres/database.ts';

const leaseMs = 120_000;
/** A due time later than this was computed with a clock that has been set back since. */
const maxPauseMs = 86_400_000;

/**
 * Claims the sync for one process; false while another one has it claimed. With `onlyIfDue`, also false when this
 * source was loaded recently.
 */
export async function claimSync(tx: Db, holder: string, source: string, onlyIfDue: boolean): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'advisory_sync_claim',
    text: `INSERT INTO advisory_sync AS s (source, holder, leased_until, due_at)
           VALUES ($2, $1, clock_timestamp() + $3 * interval '1 millisecond', clock_timestamp())
           ON CONFLICT (only_row) DO UPDATE
           SET source = excluded.source, holder = excluded.holder, leased_until = excluded.leased_until, due_at = excluded.due_at
           WHERE (s.leased_until IS NULL OR s.leased_until < clock_timestamp()
               OR s.leased_until > clock_timestamp() + $3 * interval '1 millisecond')
             AND (NOT $4 OR s.due_at IS NULL OR s.due_at <= clock_timestamp() OR s.source <> $2
               OR s.due_at > clock_timestamp() + $5 * interval '1 millisecond')`,
    values: [holder, source, leaseMs, onlyIfDue, maxPauseMs],
  });
  return rowCount > 0;
}

/** Extends the claim; false when another process has taken it. */
export async function keepSync(tx: Db, holder: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'advisory_sync_keep',
    text: `UPDATE advisory_sync SET leased_until = clock_timestamp() + $2 * interval '1 millisecond' WHERE holder = $1`,
    values: [holder, leaseMs],
  });
  return rowCount > 0;
}

/** Releases the claim and sets when the next sync is due. */
export async function endSync(tx: Db, holder: string, dueInMs: number): Promise<void> {
  await tx.query({
    name: 'advisory_sync_end',
    text: `UPDATE advisory_sync SET holder = NULL, leased_until = NULL,
             due_at = clock_timestamp() + $2 * interval '1 millisecond' WHERE holder = $1`,
    values: [holder, dueInMs],
  });
}

/** Returns the validator of an ecosystem's archive as last loaded from this source; null when it never was. */
export async function findValidator(tx: Db, ecosystem: string, source: string): Promise<string | null> {
  const { rows } = await tx.query<{ validator: string }>({
    name: 'advisory_archive_find',
    text: 'SELECT validator FROM advisory_archives WHERE ecosystem = $1 AND source = $2',
    values: [ecosystem, source],
  });
  return rows[0]?.validator ?? null;
}

export async function putValidator(tx: Db, ecosystem: string, source: string, validator: string): Promise<void> {
  await tx.query({
    name: 'advisory_archive_put',
    text: `INSERT INTO advisory_archives (ecosystem, source, validator, synced_at) VALUES ($1, $2, $3, clock_timestamp())
           ON CONFLICT (ecosystem) DO UPDATE
           SET source = excluded.source, validator = excluded.validator, synced_at = excluded.synced_at`,
    values: [ecosystem, source, validator],
  });
}

/** Makes the next sync due, from any source. */
export async function requestSync(tx: Db): Promise<void> {
  await tx.query({ name: 'advisory_sync_request', text: 'UPDATE advisory_sync SET due_at = NULL' });
}
