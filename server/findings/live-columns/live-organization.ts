import { setImmediate } from 'node:timers/promises';
import { autocommit, type Database } from '../../platform/postgres/database.ts';
import { FindingColumns } from '../columns/finding-columns.ts';
import type { ColumnRow } from '../columns/row.ts';
import {
  listColumnDataSources,
  listEntries,
  listRows,
  listRowsOf,
  type Moment,
  type Proof,
  planLookUp,
  proofModulus,
  readMoment,
  readNews,
  readProof,
} from './column-queries.ts';
import type { Snapshots } from './snapshots.ts';

/** The number of rows per statement: the thread handles other messages between two statements. */
const rowsPerPage = 5_000;
/** The number of changes applied in one step, which takes about ten milliseconds. */
const rowsPerStep = 1_000;
/** The interval at which changes are applied if somebody has queried the columns within `askedMs`. */
const [keepUpMs, askedMs] = [100, 10_000];
/**
 * Columns are stored after this many entries of the change log, or after this time if there were any, but not more
 * often than the minimum interval.
 */
const [entriesToStore, storeMs, minStoreMs] = [2_000, 3_600_000, 300_000];
/** Columns that lack more changes than this are reloaded. */
const minTooMany = 50_000;
const tooManyShare = 4;

/** Thrown for an organization whose columns exceed the memory for all organizations. */
export class NoRoom extends Error {}

/** `snapshots` is null if columns are not stored; `report` receives each problem as a sentence. */
export type Given = { database: Database; snapshots: Snapshots | null; report(problem: string): void };

type Loaded = { columns: FindingColumns; moment: Moment };

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function proofOf(columns: FindingColumns): Proof {
  const times = columns.numbers('updatedAt');
  let sum = 0;
  for (let row = 0; row < columns.size; row++) sum += times[row]! % proofModulus;
  return { count: columns.size, sum };
}

/** The columns of an organization. They are brought up to date on every query. */
export class LiveOrganization {
  lastAskedAt = performance.now();
  #loaded: Loaded | null = null;
  #loading: Promise<void> | null = null;
  #columnsInLoad: FindingColumns | null = null;
  #isDropped = false;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;
  #isFolding = false;
  #storedAt = Number.NEGATIVE_INFINITY;
  /** The number of change log entries that the stored columns lack. */
  #unstored = 1;
  readonly #given: Given;
  readonly #orgId: string;
  readonly #makeRoom: () => void;

  constructor(given: Given, orgId: string, makeRoom: () => void) {
    this.#given = given;
    this.#orgId = orgId;
    this.#makeRoom = makeRoom;
  }

  get bytes(): number {
    return (this.#loaded?.columns ?? this.#columnsInLoad)?.bytes ?? 0;
  }

  get isLoaded(): boolean {
    return this.#loaded !== null;
  }

  get findings(): number {
    return this.#loaded?.columns.size ?? 0;
  }

  /** Returns the columns with every change committed before the call; null if they are not loaded. */
  async read(): Promise<FindingColumns | null> {
    if (this.#loaded !== null) await this.#catchUp();
    return this.#loaded?.columns ?? null;
  }

  /** Loads the columns, unless they are loaded or being loaded. */
  load(): Promise<void> {
    if (this.#loaded !== null) return Promise.resolve();
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null;
      this.#columnsInLoad = null;
    });
    return this.#loading;
  }

  /** Stops loading. */
  drop(): void {
    this.#isDropped = true;
  }

  async #load(): Promise<void> {
    const stored = await this.#restore().catch((error: unknown) => {
      if (error instanceof NoRoom) throw error;
      this.#given.report(`Stored columns can't be used and are rebuilt: ${messageOf(error)}`);
      return null;
    });
    this.#loaded = stored ?? (await this.#loadAll());
    this.#makeRoom();
  }

  async #loadAll(): Promise<Loaded | null> {
    const db = autocommit(this.#given.database, this.#orgId);
    // Read first: changes that commit while pages are read are in the change log after this moment, and are applied at
    // the end.
    const moment = await readMoment(db, this.#orgId);
    const columns = new FindingColumns();
    this.#columnsInLoad = columns;
    columns.setDataSources(await listColumnDataSources(db, this.#orgId));
    for (let afterId = ''; !this.#isDropped; ) {
      const rows = await listRows(db, this.#orgId, afterId, rowsPerPage);
      columns.upsert(rows);
      this.#makeRoom();
      if (rows.length < rowsPerPage) break;
      afterId = rows.at(-1)!.id;
    }
    await this.#prepare(columns);
    return { columns, moment };
  }

  /** Returns the stored columns with all later changes; null if there are none that can be used. */
  async #restore(): Promise<Loaded | null> {
    const stored = await this.#given.snapshots?.read(this.#orgId);
    if (!stored) return null;
    const { columns } = stored;
    this.#columnsInLoad = columns;
    this.#makeRoom();
    const news = await this.#readChanges(stored, true);
    if (news === null) return null;
    columns.setDataSources(news.dataSources!);
    await this.#upsert(columns, news.rows);
    await this.#prepare(columns);
    // A cluster that was set back may have a different history with the same numbers.
    const { count, sum } = proofOf(columns);
    if (count !== news.proof!.count || sum !== news.proof!.sum) throw new Error('The columns are of another history.');
    this.#unstored = news.entries;
    this.#storedAt = performance.now();
    return { columns, moment: news.moment };
  }

  /** Stores the columns when they are due. */
  async store(): Promise<void> {
    const { snapshots } = this.#given;
    const loaded = this.#loaded;
    const ageMs = performance.now() - this.#storedAt;
    const isDue = this.#unstored >= entriesToStore ? ageMs > minStoreMs : this.#unstored > 0 && ageMs > storeMs;
    if (snapshots === null || loaded === null || !isDue) return;
    this.#storedAt = performance.now();
    this.#unstored = 0;
    await snapshots.store(this.#orgId, loaded);
  }

  /**
   * Applies all changes. A run in progress may have read the log before the last commit, so calls during a run share
   * the next one.
   */
  #catchUp(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#running = this.#next!;
        this.#next = null;
        return this.#apply();
      });
    return this.#next;
  }

  async #apply(): Promise<void> {
    if (this.#loaded === null) return;
    const { columns, moment } = this.#loaded;
    const { isChanged, ...now } = await readNews(autocommit(this.#given.database, this.#orgId), this.#orgId, moment);
    if (now.server === moment.server && !isChanged) {
      this.#loaded.moment = now;
      return;
    }
    const news = now.server === moment.server ? await this.#readChanges(this.#loaded) : null;
    if (news === null) {
      this.#loaded = null;
      return;
    }
    try {
      if (news.dataSources) columns.setDataSources(news.dataSources);
      await this.#upsert(columns, news.rows);
    } catch (error) {
      // If a change fails, the columns are reloaded.
      this.#loaded = null;
      throw error;
    }
    this.#unstored += news.entries;
    this.#loaded = { columns, moment: news.moment };
    this.#makeRoom();
    if (news.rows.length === 0) return;
    void this.#foldLater(columns);
    // While findings change and are queried, no query has to wait for many changes.
    if (performance.now() - this.lastAskedAt < askedMs)
      setTimeout(() => this.#catchUp().catch(() => {}), keepUpMs).unref();
  }

  /**
   * Applies changes in steps: queries of other organizations run between two steps, those of this one after all are
   * applied.
   */
  async #upsert(columns: FindingColumns, rows: readonly ColumnRow[]): Promise<void> {
    for (let start = 0; start < rows.length; start += rowsPerStep) {
      if (start > 0) await setImmediate();
      columns.upsert(rows.slice(start, start + rowsPerStep));
    }
  }

  async #prepare(columns: FindingColumns): Promise<void> {
    for (const _ of columns.preparing()) await setImmediate();
  }

  /** Merges changed rows with the rest, one step per turn of the event loop: queries run between two steps. */
  async #foldLater(columns: FindingColumns): Promise<void> {
    if (this.#isFolding) return;
    this.#isFolding = true;
    do await setImmediate();
    while (!this.#isDropped && columns.fold());
    this.#isFolding = false;
  }

  /**
   * Reads the changes that columns lack, as of a single later moment. Returns null if the change log does not go back
   * far enough, or if reading all findings is as fast. For restored columns, the checksum is included.
   */
  #readChanges({ columns, moment: since }: Loaded, isStored = false) {
    const orgId = this.#orgId;
    return this.#given.database.consistentTransaction(orgId, async (tx) => {
      const moment = await readMoment(tx, orgId);
      const entries = await listEntries(tx, orgId, since);
      if (moment.server !== since.server || entries.some(({ isGap }) => isGap)) return null;
      const ids = [...new Set(entries.flatMap((entry) => entry.ids))];
      if (ids.length > Math.max(minTooMany, columns.size / tooManyShare)) return null;
      await tx.query(planLookUp);
      const rows = [];
      for (let start = 0; start < ids.length; start += rowsPerPage)
        rows.push(...(await listRowsOf(tx, orgId, ids.slice(start, start + rowsPerPage))));
      const isOfDataSources = isStored || entries.some((entry) => entry.ids.length === 0);
      return {
        moment,
        rows,
        entries: entries.length,
        dataSources: isOfDataSources ? await listColumnDataSources(tx, orgId) : null,
        proof: isStored ? await readProof(tx, orgId) : null,
      };
    });
  }
}
