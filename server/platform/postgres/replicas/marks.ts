/**
 * The mark of a credential for other nodes. It is `busy` while the credential uses the primary on some node, or has
 * used it since the last position. Otherwise it has a position (`lsn`) that includes everything the credential has
 * seen, 0 for nothing. null: unknown.
 */
export type SharedMark = { busy: boolean; lsn: number } | null;

/** The marks of all nodes. */
export type SharedMarks = {
  /**
   * Records that a credential uses the primary. Resolves once other nodes can read it, or with false when they can't.
   */
  begin(credential: string): Promise<boolean>;
  /**
   * Records the position that includes everything a credential has seen on the primary. Resolves with whether it was
   * recorded.
   */
  record(credential: string, lsn: number): Promise<boolean>;
  look(credential: string): Promise<SharedMark>;
  close(): void;
};

type Mark = {
  /** Requests that are using the primary. */
  active: number;
  endedAt: number;
  /** The state recorded for other nodes. */
  shared: 'nothing' | 'busy' | 'recorded';
  sharedAt: number;
  sharing: Promise<boolean> | null;
};

/** Marks are renewed in Redis before they expire there. */
const renewAfterMs = 10_000;

/**
 * Stores when each credential last used the primary: everything that it wrote or read there must be on a replica
 * before it reads from that replica. After `keptMs`, every replica in service has it.
 */
export class Marks {
  readonly #marks = new Map<string, Mark>();
  readonly #keptMs: number;
  readonly #shared: SharedMarks | null;

  constructor(keptMs: number, shared: SharedMarks | null) {
    this.#keptMs = keptMs;
    this.#shared = shared;
  }

  /** Records that a request starts to use the primary. */
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
   * Records that the request has ended. Resolves once other nodes know; respond after that. Resolves with false when
   * they can't know, since this node can't reach Redis.
   */
  async end(credential: string, now: number): Promise<boolean> {
    const mark = this.#marks.get(credential);
    if (!mark) return true;
    mark.active -= 1;
    mark.endedAt = now;
    await mark.sharing;
    return this.#shared === null || mark.shared !== 'nothing';
  }

  /** Returns a time: a replica must have everything from before it to serve this credential. */
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

  /**
   * Shares the position for all credentials that have not used the primary since it was read. Deletes marks that are
   * on every replica.
   */
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

  /** Treats everything as unrecorded: Redis may have lost it, or other nodes may use another Redis already. */
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
