/** The last sign of life of a worker that holds jobs, as text to compare. */
export type Sign = {
  worker: string;
  sign: string;
  /** Whether it is long ago by the database's clock. */
  isOld: boolean;
};

/**
 * Recognises workers that died: one that lives gives another sign every few seconds. Signs are only compared with those of the look
 * before, and time is measured here by the monotonic clock. So a database's clock that is moved, either way, makes no living
 * worker look dead and keeps no dead one's jobs.
 */
export class SilentWorkers {
  readonly #silentForMs: number;
  readonly #now: () => number;
  #known = new Map<string, { sign: string; sinceMs: number }>();

  constructor(silentForMs: number, now: () => number = () => performance.now()) {
    this.#silentForMs = silentForMs;
    this.#now = now;
  }

  /** Returns the workers that are dead. Call it less often than a worker that lives gives a sign. */
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
