/**
 * A position of the primary in its write-ahead log. A replica that has replayed `lsn` shows everything that had
 * committed by `begunAt` (milliseconds of this process's monotonic clock), and every change before `mark`.
 */
export type Position = { begunAt: number; lsn: number; mark: string };

/** The newest positions of the primary. They do the work of clocks, whose differences between machines don't matter then. */
export class Positions {
  readonly #keptMs: number;
  #positions: Position[] = [];

  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  add(position: Position): void {
    const from = position.begunAt - this.#keptMs;
    this.#positions = [...this.#positions.filter(({ begunAt }) => begunAt >= from), position];
  }

  get newest(): Position | undefined {
    return this.#positions.at(-1);
  }

  /** Returns the newest position that a replica has replayed. */
  reached(replayed: number): Position | undefined {
    return this.#positions.findLast(({ lsn }) => lsn <= replayed);
  }
}

const pageBytes = 8_192;
const pageHeaderBytes = 24;
const segmentHeaderBytes = 40;

/**
 * Returns the end of what the primary has written, as a replica reports it. The position at which the primary inserts
 * next is behind the header of a page as soon as the page before is full, and an idle replica would never reach it.
 */
export function endOfLog(inserted: number, flushed: number, segmentBytes: number): number {
  const beyond = inserted - flushed;
  if (beyond === pageHeaderBytes && flushed % pageBytes === 0) return flushed;
  if (beyond === segmentHeaderBytes && flushed % segmentBytes === 0) return flushed;
  return inserted;
}
