import { readChangeNumber } from '../../organization/change-number.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { FindingFilters } from '../filters.ts';

/** Figures and the change number of the organization before they were computed. */
type Entry = { number: string; until: number; size: number; value: Promise<unknown> };

/** Even figures of an organization in which nothing changes are computed again after this time. */
const maxAgeMs = 600_000;
/** The maximum length of all remembered figures as JSON. */
const maxSize = 4_000_000;
/** The maximum number of questions, which are remembered for as long as their figures are. */
const maxEntries = 2_000;

/** Returns whether the filters select the same findings until one changes; what is overdue depends on the time. */
export const isLasting = ({ overdue }: FindingFilters): boolean => overdue === undefined;

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
   * Returns the figures that `compute` returns, which must not be changed. The question must contain everything that
   * decides them; with null they are computed each time.
   */
  async read<Figures>(
    database: Database,
    orgId: string,
    question: readonly unknown[] | null,
    compute: () => Promise<Figures>,
  ): Promise<Figures> {
    if (question === null) return compute();
    const number = await readChangeNumber(database, orgId);
    const key = JSON.stringify([orgId, ...question]);
    const known = this.#entries.get(key);
    if (known) this.#remove(key, known);
    if (known?.number === number && known.until > performance.now()) {
      this.#keep(key, known);
      return known.value as Promise<Figures>;
    }
    const value = compute();
    const entry = { number, until: performance.now() + maxAgeMs, size: key.length, value };
    this.#keep(key, entry);
    value.then(
      (figures) => this.#measure(key, entry, JSON.stringify(figures).length),
      () => this.#remove(key, entry),
    );
    return value;
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
