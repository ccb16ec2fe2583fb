/**
 * A position of the primary in its write-ahead log. A replica that has replayed `lsn` includes everything committed
 * before `begunAt` (milliseconds of this process's monotonic clock), and every change before `mark`.
 */
export type Position = { begunAt: number; lsn: number; mark: string };

/**
 * The latest positions of the primary. They replace clocks, so that clock differences between machines don't matter.
 */
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
 * Returns the end of the primary's write-ahead log in a replica's terms. When a page is full, the primary's insert
 * position is behind the header of the next page, which an idle replica would never reach.
 */
export function endOfLog(inserted: number, flushed: number, segmentBytes: number): number {
  const beyond = inserted - flushed;
  if (beyond === pageHeaderBytes && flushed % pageBytes === 0) return flushed;
  if (beyond === segmentHeaderBytes && flushed % segmentBytes === 0) return flushed;
  return inserted;
}
