/** The last heartbeat of a worker with locked jobs, as text for comparison. */
export type Sign = {
  worker: string;
  sign: string;
  /** Whether it is old by the database's clock. */
  isOld: boolean;
};

/**
 * Recognises dead workers: a living one sends a new heartbeat every few seconds. Heartbeats are only compared with
 * those of the previous check, and time is measured by this process's monotonic clock. So changing the database's
 * clock in either direction never makes a living worker look dead, and never keeps the jobs of a dead one locked.
 */
export class SilentWorkers {
  readonly #silentForMs: number;
  readonly #now: () => number;
  #known = new Map<string, { sign: string; sinceMs: number }>();

  constructor(silentForMs: number, now: () => number = () => performance.now()) {
    this.#silentForMs = silentForMs;
    this.#now = now;
  }

  /** Returns the dead workers. Call it less often than living workers send heartbeats. */
  look(signs: readonly Sign[]): string[] {
    const before = this.#known;
    const nowMs = this.#now();
    this.#known = new Map(
      signs.map(({ worker, sign }) => {
        const known = before.get(worker);
        return [worker, known?.sign === sign ? known : { sign, sinceMs: nowMs }];
      }),
    );
    return signs
      .filter(({ worker, sign, isOld }) => {
        const known = before.get(worker);
        return known?.sign === sign && (isOld || nowMs - known.sinceMs >= this.#silentForMs);
      })
      .map(({ worker }) => worker);
  }
}
