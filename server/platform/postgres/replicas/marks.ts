/**
 * The mark of a credential for other nodes: `busy` while it uses the primary on some node, or has used it since the
 * last position; otherwise a position (`lsn`) that contains all that it has seen, 0 for none. null: unknown.
 */
export type SharedMark = { busy: boolean; lsn: number } | null;

/** The marks of all nodes. */
export type SharedMarks = {
  /** Records that a credential uses the primary. Resolves once other nodes see it, or with false when they can't. */
  begin(credential: string): Promise<boolean>;
  /** Records the position that contains what a credential has seen on the primary. Resolves with whether it is recorded. */
  record(credential: string, lsn: number): Promise<boolean>;
  look(credential: string): Promise<SharedMark>;
  close(): void;
};

type Mark = {
  /** Requests that use the primary now. */
  active: number;
  endedAt: number;
  /** The state recorded for other nodes. */
  shared: 'nothing' | 'busy' | 'recorded';
  sharedAt: number;
  sharing: Promise<boolean> | null;
};

/** Marks are recorded again before they expire there. */
const renewAfterMs = 10_000;

/**
 * Remembers when each credential last used the primary: what it has written or seen there must be on a replica before
 * it reads from one. `keptMs` later every replica in service has it.
 */
export class Marks {
  readonly #marks = new Map<string, Mark>();
  readonly #keptMs: number;
  readonly #shared: SharedMarks | null;

  constructor(keptMs: number, shared: SharedMarks | null) {
    this.#keptMs = keptMs;
    this.#shared = shared;
  }

  /** Records that a request begins to use the primary. */
  begin(credential: string, now: number): void {
    const mark: Mark = this.#marks.get(credential) ?? {
      active: 0,
      endedAt: Number.NEGATIVE_INFINITY,
      shared: 'nothing',
      sharedAt: Number.NEGATIVE_INFINITY,
      sharing: null,
    };
    mark.active += 1;
    this.#marks.set(credential, mark);
    if (mark.shared !== 'busy') this.#share(credential, mark, now);
  }

  /**
   * Records that the request has ended. Resolves once other nodes know of it: respond after that. Resolves with false
   * when they can't know, since this node does not reach Redis.
   */
  async end(credential: string, now: number): Promise<boolean> {
    const mark = this.#marks.get(credential);
    if (!mark) return true;
    mark.active -= 1;
    mark.endedAt = now;
    await mark.sharing;
    return this.#shared === null || mark.shared !== 'nothing';
  }

  /** Returns the time before which everything must be on a replica that this credential reads from. */
  usedUntil(credential: string): number {
    return this.#marks.get(credential)?.endedAt ?? Number.NEGATIVE_INFINITY;
  }

  #share(credential: string, mark: Mark, now: number): void {
    if (!this.#shared) return;
    mark.shared = 'busy';
    mark.sharedAt = now;
    mark.sharing = this.#shared.begin(credential).then((recorded) => {
      if (!recorded && mark.shared === 'busy') mark.shared = 'nothing';
      return recorded;
    });
  }

  #record(credential: string, mark: Mark, lsn: number, now: number): void {
    mark.shared = 'recorded';
    mark.sharedAt = now;
    void this.#shared!.record(credential, lsn).then((recorded) => {
      if (!recorded && mark.shared === 'recorded') mark.shared = 'nothing';
    });
  }

  /** Shares the position for all who have not used the primary since it was read, and forgets what is long on every replica. */
  record({ begunAt, lsn }: { begunAt: number; lsn: number }, now: number): void {
    for (const [credential, mark] of this.#marks) {
      if (mark.active === 0 && mark.endedAt < begunAt) {
        if (this.#shared && mark.shared !== 'recorded') this.#record(credential, mark, lsn, now);
        if (mark.endedAt < now - this.#keptMs) this.#marks.delete(credential);
      } else if (mark.shared === 'nothing' || now - mark.sharedAt > renewAfterMs) {
        this.#share(credential, mark, now);
      }
    }
  }

  /** Treats everything as not recorded: Redis may have lost it, or other nodes may have another one already. */
  shareAgain(): void {
    for (const mark of this.#marks.values()) mark.shared = 'nothing';
  }

  look(credential: string): Promise<SharedMark> | null {
    return this.#shared?.look(credential) ?? null;
  }

  close(): void {
    this.#shared?.close();
  }
}
