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

/** The rows of one statement: the thread answers between two of them. */
const rowsPerPage = 5_000;
/** The changes that are applied at once, which takes about ten milliseconds. */
const rowsPerStep = 1_000;
/** Changes are applied so long after others, if somebody asked within `askedMs`. */
const [keepUpMs, askedMs] = [100, 10_000];
/** Columns are stored after so many entries of the change log, or after a time in which there was any, but not all the time. */
const [entriesToStore, storeMs, minStoreMs] = [2_000, 3_600_000, 300_000];
/** Columns that lack more changes are loaded anew. */
const minTooMany = 50_000;
const tooManyShare = 4;

/** Thrown for an organization whose columns alone take more than the memory for all. */
export class NoRoom extends Error {}

/** `snapshots` are null where columns are not stored; `report` takes problems, in a sentence. */
export type Given = { database: Database; snapshots: Snapshots | null; report(problem: string): void };

type Loaded = { columns: FindingColumns; moment: Moment };

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function proofOf(columns: FindingColumns): Proof {
  const times = columns.numbers('updatedAt');
  let sum = 0;
  for (let row = 0; row < columns.size; row++) sum += times[row]! % proofModulus;
  return { count: columns.size, sum };
}

/** The columns of an organization, which become those of a later moment whenever somebody asks. */
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
  /** The entries of the change log that what is stored lacks. */
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

  /** Returns the columns with every change that had committed at the call; null while they are not loaded. */
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
      this.#given.report(`Stored columns can't be used, and are made anew: ${messageOf(error)}`);
      return null;
    });
    this.#loaded = stored ?? (await this.#loadAll());
    this.#makeRoom();
  }

  async #loadAll(): Promise<Loaded | null> {
    const db = autocommit(this.#given.database, this.#orgId);
    // Read first: what commits while pages are read is in the change log for this moment, and applied when they are loaded.
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

  /** Returns the stored columns with what has changed since; null without any that can be used. */
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
    // A cluster that was set back may have another history with the same numbers.
    const { count, sum } = proofOf(columns);
    if (count !== news.proof!.count || sum !== news.proof!.sum) throw new Error('They are of another history.');
    this.#unstored = news.entries;
    this.#storedAt = performance.now();
    return { columns, moment: news.moment };
  }

  /** Stores the columns when it is time. */
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
   * Applies what has changed. A run that has begun may have looked before the last commit, so those who ask during one share the
   * next.
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
      // Columns of which a change failed are loaded anew.
      this.#loaded = null;
      throw error;
    }
    this.#unstored += news.entries;
    this.#loaded = { columns, moment: news.moment };
    this.#makeRoom();
    if (news.rows.length === 0) return;
    void this.#foldLater(columns);
    // While findings change and somebody asks about them, no question has to wait for many changes.
    if (performance.now() - this.lastAskedAt < askedMs)
      setTimeout(() => this.#catchUp().catch(() => {}), keepUpMs).unref();
  }

  /** Applies changes, in steps: other organizations are answered between two of them, this one once all are applied. */
  async #upsert(columns: FindingColumns, rows: readonly ColumnRow[]): Promise<void> {
    for (let start = 0; start < rows.length; start += rowsPerStep) {
      if (start > 0) await setImmediate();
      columns.upsert(rows.slice(start, start + rowsPerStep));
    }
  }

  async #prepare(columns: FindingColumns): Promise<void> {
    for (const _ of columns.preparing()) await setImmediate();
  }

  /** Joins what has changed with the rest, one step after each turn of the event loop: questions are answered between two of them. */
  async #foldLater(columns: FindingColumns): Promise<void> {
    if (this.#isFolding) return;
    this.#isFolding = true;
    do await setImmediate();
    while (!this.#isDropped && columns.fold());
    this.#isFolding = false;
  }

  /**
   * Reads what columns lack, all as of one later moment; null when the change log does not reach back so far, or when reading all
   * findings takes no longer. For those that were stored, with the proof.
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
