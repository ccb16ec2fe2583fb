import { ApiError } from '../platform/errors.ts';
import type { Database, Db } from '../platform/postgres/database.ts';
import { type DueTable, listDue, lockDue, updateNextRun, updateRun } from './due-queries.ts';
import { nextRun } from './next-run.ts';

const maxAtOnce = 100;

/** A refusal is stored in the row and shown; any other error is a fault that the next tick may overcome. */
type Outcome<T> = { value: T } | { refusal: string };

async function refusalOf<T>(run: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await run() };
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { refusal: error.message };
    throw error;
  }
}

/** The action of due rows. An `ApiError` below 500 of either step becomes the error of the row; its next due time is kept. */
export type Action<Prepared> = {
  /** Does slow work outside the transaction. Returns undefined when the row no longer exists. */
  prepare(orgId: string, id: string): Promise<Prepared | undefined>;
  /**
   * Runs in the transaction that has claimed the row and returns the id of what it created. It must throw refusals
   * before it writes.
   */
  start(tx: Db, orgId: string, id: string, prepared: Prepared): Promise<string>;
};

async function fire<Prepared>(
  tx: Db,
  orgId: string,
  table: DueTable,
  id: string,
  prepared: Outcome<Prepared>,
  start: Action<Prepared>['start'],
): Promise<void> {
  const due = await lockDue(tx, orgId, table, id);
  if (!due) return;
  // Computed from now, not from the due time: several missed times are made up for once.
  await updateNextRun(tx, orgId, table, id, { nextRunAt: nextRun(due, due.now), from: due.now });
  if (!due.isDue) return;
  const made = 'refusal' in prepared ? prepared : await refusalOf(() => start(tx, orgId, id, prepared.value));
  await updateRun(tx, orgId, table, id, {
    madeId: 'value' in made ? made.value : null,
    error: 'refusal' in made ? made.refusal : null,
  });
}

/**
 * Processes all due rows. Every node may call it at any time: only one claims each due time, by locking the row. A fault
 * in one row does not stop the others; all faults are thrown at the end.
 */
export async function fireDue<Prepared>(database: Database, table: DueTable, action: Action<Prepared>): Promise<void> {
  const due = await database.transaction(null, (tx) => listDue(tx, table, maxAtOnce));
  const faults: unknown[] = [];
  for (const { orgId, id } of due) {
    try {
      const prepared = await refusalOf(() => action.prepare(orgId, id));
      if ('value' in prepared && prepared.value === undefined) continue;
      const known = prepared as Outcome<Prepared>;
      await database.transaction(orgId, (tx) => fire(tx, orgId, table, id, known, action.start));
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} due rows of ${table} failed`);
}
