import { readChangeNumber } from '../../organization/change-number.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { type FindingFilters, filterEntries } from '../filters/table.ts';

/** Figures that several requests may wait for. They are given up when no request is left. */
class Computation {
  readonly #controller = new AbortController();
  #waiting = 0;
  readonly value: Promise<unknown>;

  constructor(compute: (signal: AbortSignal) => Promise<unknown>) {
    this.value = compute(this.#controller.signal);
  }

  get isGivenUp(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Adds a request, which waits until the signal aborts. */
  join(signal: AbortSignal | undefined): void {
    this.#waiting += 1;
    signal?.addEventListener('abort', () => {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#controller.abort();
    });
  }
}

/** Figures and the change number of the organization before they were computed. */
type Entry = { number: string; until: number; size: number; computation: Computation };

/** A question must contain everything that decides the figures; with null they are computed each time. */
type Asked = {
  question: readonly unknown[] | null;
  /** Aborts when the request has gone. */
  signal?: AbortSignal;
};

/** Even figures of an organization in which nothing changes are computed again after this time. */
const maxAgeMs = 600_000;
/** The maximum length of all remembered figures as JSON. */
const maxSize = 4_000_000;
/** The maximum number of questions, which are remembered for as long as their figures are. */
const maxEntries = 2_000;

/** Returns whether the filters select the same findings until one changes; what is overdue depends on the time. */
export const isLasting = (filters: FindingFilters): boolean =>
  filterEntries.every(([name, { holdsNow }]) =>
    [filters[name], filters.excluded?.[name]].every((value) => value === undefined || !holdsNow?.(value)),
  );

/**
 * Remembers figures until a finding or a data source of their organization changes: they are as exact as if they were
 * computed again. A change that has committed is seen by the next request on every node. Requests with the same question
 * at the same time share one computation. Figures that depend on the time of day have it in their question.
 */
export class FigureCache {
  /** By organization and question, those that were asked for last at the end. */
  readonly #entries = new Map<string, Entry>();
  #size = 0;

  /**
   * Returns the figures that `compute` returns, which must not be changed. Its signal aborts when all requests for them have gone.
   */
  async read<Figures>(
    database: Database,
    orgId: string,
    { question, signal }: Asked,
    compute: (signal?: AbortSignal) => Promise<Figures>,
  ): Promise<Figures> {
    if (question === null) return compute(signal);
    const number = await readChangeNumber(database, orgId);
    const key = JSON.stringify([orgId, ...question]);
    const known = this.#entries.get(key);
    if (known) this.#remove(key, known);
    if (known?.number === number && known.until > performance.now() && !known.computation.isGivenUp) {
      this.#keep(key, known);
      known.computation.join(signal);
      return known.computation.value as Promise<Figures>;
    }
    const computation = new Computation(compute);
    const entry = { number, until: performance.now() + maxAgeMs, size: key.length, computation };
    this.#keep(key, entry);
    computation.join(signal);
    computation.value.then(
      (figures) => this.#measure(key, entry, JSON.stringify(figures).length),
      () => this.#remove(key, entry),
    );
    return computation.value as Promise<Figures>;
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#size += entry.size;
    this.#makeRoom();
  }

  #remove(key: string, entry: Entry): void {
    if (this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }

  #measure(key: string, entry: Entry, size: number): void {
    if (this.#entries.get(key) !== entry) return;
    entry.size += size;
    this.#size += size;
    this.#makeRoom();
  }

  #makeRoom(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#size <= maxSize && this.#entries.size <= maxEntries) return;
      this.#remove(key, entry);
    }
  }
}
