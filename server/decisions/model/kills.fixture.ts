import type { Database } from '../../platform/postgres/database.ts';
import type { Kill } from './steps.fixture.ts';

/** Crashes of whatever works with a database: the transaction in which one comes, and all later ones, fail. */
export class Kills {
  #kill: Kill | null = null;
  #begun = 0;

  constructor(database: Database) {
    const transaction = database.transaction.bind(database);
    database.transaction = async (orgId, work) => {
      const kill = this.#kill;
      if (!kill) return transaction(orgId, work);
      this.#begun += 1;
      if (this.#begun < kill.transaction) return transaction(orgId, work);
      const isFirst = this.#begun === kill.transaction;
      if (isFirst && kill.commits) await transaction(orgId, work);
      else if (isFirst) await dyingDatabase({ ...database, transaction }).transaction(orgId, work);
      throw new Error('killed');
    };
  }

  /** Runs a step; if it is killed, runs it once more, as a restarted worker or a client without a response does. */
  async survive<Result>(kill: Kill | null, run: () => Promise<Result>): Promise<Result> {
    if (kill === null) return run();
    this.#kill = kill;
    this.#begun = 0;
    const first = await run().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    this.#kill = null;
    if (this.#begun >= kill.transaction) return run();
    if ('error' in first) throw first.error;
    return first.value;
  }
}

/** Returns a database in which every transaction is lost before it commits. */
export function dyingDatabase(database: Database): Database {
  const transaction: Database['transaction'] = (orgId, work) =>
    database.transaction(orgId, async (tx) => {
      await work(tx);
      throw new Error('killed');
    });
  return Object.assign(Object.create(database), { transaction });
}
