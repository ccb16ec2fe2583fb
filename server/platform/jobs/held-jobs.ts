import type pg from 'pg';
import { freeJobs, listIdleJobs } from './job-queries.ts';

/** The jobs that a runner holds. */
export class HeldJobs {
  /** Jobs are locked under the name of one of the library's worker pools. Each start makes a new pool. */
  readonly workers = new Set<string>();
  /** Ids of the jobs that run in this process. */
  readonly running = new Set<string>();
  #idle = new Set<string>();

  /**
   * Unlocks jobs that are locked under our name but don't run here: their end could not be recorded because the
   * database was unavailable. A job that was just taken looks the same for a moment, so each must be seen twice.
   */
  async freeIdle(pool: pg.Pool): Promise<void> {
    const idle = await listIdleJobs(pool, [...this.workers], [...this.running]);
    const twice = idle.filter((id) => this.#idle.has(id) && !this.running.has(id));
    this.#idle = new Set(idle);
    if (twice.length > 0) await freeJobs(pool, [...this.workers], twice);
  }
}
