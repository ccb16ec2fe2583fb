import { ApiError } from '../platform/errors.ts';
import type { Database, Db } from '../platform/postgres/database.ts';
import { type DueTable, listDue, lockDue, updateNextRun, updateRun } from './due-queries.ts';
import { nextRun } from './next-run.ts';

const mostAtOnce = 100;

/** A refusal is the row's to show; anything else is a fault that the next tick may get over. */
type Outcome<T> = { value: T } | { refusal: string };

async function refusalOf<T>(run: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await run() };
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { refusal: error.message };
    throw error;
  }
}

/** What a due row does. An `ApiError` below 500 of either step is what the row then shows; the next due time stays. */
export type Action<Prepared> = {
  /** Outside of the transaction, for what takes time; undefined when the row is gone. */
  prepare(orgId: string, id: string): Promise<Prepared | undefined>;
  /** In the transaction that has claimed the row. Answers the id of what it made. It refuses before it writes. */
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
  // From now on, not from the due time: what was missed while nothing ran is made up for once.
  await updateNextRun(tx, orgId, table, id, { nextRunAt: nextRun(due, due.now), from: due.now });
  if (!due.isDue) return;
  const made = 'refusal' in prepared ? prepared : await refusalOf(() => start(tx, orgId, id, prepared.value));
  await updateRun(tx, orgId, table, id, {
    madeId: 'value' in made ? made.value : null,
    error: 'refusal' in made ? made.refusal : null,
  });
}

/**
 * Does what is due. Run it on every node as often as you like: a due time is claimed by one, with its row. A row that
 * faults holds up no other; the faults are thrown at the end.
 */
export async function fireDue<Prepared>(database: Database, table: DueTable, action: Action<Prepared>): Promise<void> {
  const due = await database.transaction(null, (tx) => listDue(tx, table, mostAtOnce));
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
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} of what was due in ${table} failed`);
}
