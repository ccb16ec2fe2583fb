import { readChangeNumber } from '../../organization/change-number.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { type FindingFilters, filterEntries } from '../filters/table.ts';

/** Figures that several requests may wait for. The computation is aborted when no request is left. */
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

  /** Adds a request that waits until the signal aborts. */
  join(signal: AbortSignal | undefined): void {
    this.#waiting += 1;
    signal?.addEventListener('abort', () => {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#controller.abort();
    });
  }
}

/** Figures, and the organization's change number before they were computed. */
type Entry = { number: string; until: number; size: number; computation: Computation };

/** A question must contain everything that the figures depend on; with null they are computed each time. */
type Asked = {
  question: readonly unknown[] | null;
  /** Aborts when the request is gone. */
  signal?: AbortSignal;
};

/** Figures are recomputed after this time even if nothing changes in the organization. */
const maxAgeMs = 600_000;
/** The maximum length of all cached figures as JSON. */
const maxSize = 4_000_000;
/** The maximum number of cached questions. A question stays as long as its figures. */
const maxEntries = 2_000;

/**
 * Returns whether the filters select the same findings until one changes. Overdue findings, for example, depend on the
 * time.
 */
export const isLasting = (filters: FindingFilters): boolean =>
  filterEntries.every(([name, { holdsNow }]) =>
    [filters[name], filters.excluded?.[name]].every((value) => value === undefined || !holdsNow?.(value)),
  );

/**
 * Caches figures until a finding or a data source of their organization changes; cached figures are exact. The next
 * request on every node sees a committed change. Concurrent requests with the same question share one computation.
 * Figures that depend on the time of day include it in their question.
 */
export class FigureCache {
  /** By organization and question, most recently used last. */
  readonly #entries = new Map<string, Entry>();
  #size = 0;

  /**
   * Returns the figures that `compute` returns. Callers must not modify them. The signal passed to `compute` aborts
   * when no request is waiting any more.
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
