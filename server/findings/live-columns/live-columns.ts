import { autocommit, type Database } from '../../platform/postgres/database.ts';
import { FindingColumns } from '../columns/finding-columns.ts';
import {
  listColumnDataSources,
  listEntries,
  listRows,
  listRowsOf,
  type Moment,
  planLookUp,
  readMoment,
  readNews,
} from './column-queries.ts';

/** The rows of one statement: the thread answers between two of them. */
const rowsPerPage = 5_000;
/** Columns of organizations about which nobody has asked for so long are dropped. */
const maxIdleMs = 3_600_000;
/** An organization whose columns don't fit is tried again after this time. */
const refusalMs = 600_000;

/** Thrown for an organization whose columns alone take more than the memory for all. */
class NoRoom extends Error {}

/** The columns of an organization, which become those of a later moment whenever somebody asks. */
class LiveOrganization {
  lastAskedAt = performance.now();
  #loaded: { columns: FindingColumns; moment: Moment } | null = null;
  #loading: Promise<void> | null = null;
  #columnsInLoad: FindingColumns | null = null;
  #isDropped = false;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;
  readonly #database: Database;
  readonly #orgId: string;
  readonly #makeRoom: () => void;

  constructor(database: Database, orgId: string, makeRoom: () => void) {
    this.#database = database;
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
    const db = autocommit(this.#database, this.#orgId);
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
    columns.prepare();
    this.#loaded = { columns, moment };
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
    const { isChanged, ...now } = await readNews(autocommit(this.#database, this.#orgId), this.#orgId, moment);
    if (now.server === moment.server && !isChanged) {
      this.#loaded.moment = now;
      return;
    }
    const news = now.server === moment.server ? await this.#readChanges(moment) : null;
    // Not there while they change: columns of which a change failed are loaded anew.
    this.#loaded = null;
    if (news === null) return;
    if (news.dataSources) columns.setDataSources(news.dataSources);
    columns.upsert(news.rows);
    this.#loaded = { columns, moment: news.moment };
    this.#makeRoom();
  }

  /** Reads what a moment does not show, all as of one later moment; null when the change log does not reach back so far. */
  #readChanges(since: Moment) {
    const orgId = this.#orgId;
    return this.#database.consistentTransaction(orgId, async (tx) => {
      const moment = await readMoment(tx, orgId);
      const entries = await listEntries(tx, orgId, since);
      if (moment.server !== since.server || entries.some(({ isGap }) => isGap)) return null;
      const ids = [...new Set(entries.flatMap((entry) => entry.ids))];
      await tx.query(planLookUp);
      const rows = [];
      for (let start = 0; start < ids.length; start += rowsPerPage)
        rows.push(...(await listRowsOf(tx, orgId, ids.slice(start, start + rowsPerPage))));
      const isOfDataSources = entries.some((entry) => entry.ids.length === 0);
      return { moment, rows, dataSources: isOfDataSources ? await listColumnDataSources(tx, orgId) : null };
    });
  }
}

/**
 * The columns of the organizations that are being read, each loaded under its own organization and reached only by its id. Those that
 * were not asked for longest make room for others.
 */
export class LiveColumns {
  /** In the order in which they were asked last. */
  readonly #organizations = new Map<string, LiveOrganization>();
  readonly #refusedUntil = new Map<string, number>();
  readonly #database: Database;
  readonly #maxBytes: number;
  readonly #report: (problem: string) => void;

  constructor(database: Database, maxBytes: number, report: (problem: string) => void) {
    this.#database = database;
    this.#maxBytes = maxBytes;
    this.#report = report;
  }

  /** The ids of the organizations whose columns are loaded, and what these and those in load take. */
  get usage(): { organizations: string[]; findings: number; bytes: number } {
    const all = [...this.#organizations.values()];
    const organizations = [...this.#organizations].filter(([, { isLoaded }]) => isLoaded).map(([orgId]) => orgId);
    const sum = (of: 'findings' | 'bytes') => all.reduce((total, organization) => total + organization[of], 0);
    return { organizations, findings: sum('findings'), bytes: sum('bytes') };
  }

  /**
   * Returns the columns of an organization with every change that had committed at the call. Null while they are not loaded: then
   * they are being loaded, unless there is no room for them.
   */
  async read(orgId: string): Promise<FindingColumns | null> {
    if ((this.#refusedUntil.get(orgId) ?? 0) > performance.now()) return null;
    const organization = this.#organizations.get(orgId) ?? this.#open(orgId);
    this.#organizations.delete(orgId);
    this.#organizations.set(orgId, organization);
    organization.lastAskedAt = performance.now();
    const columns = await organization.read();
    if (columns === null) organization.load().catch((error: unknown) => this.#giveUp(orgId, error));
    return columns;
  }

  /** Keeps the columns near the present, so that the next question is not about hours, and drops those that nobody needs. */
  async refresh(): Promise<void> {
    for (const [orgId, organization] of [...this.#organizations]) {
      if (performance.now() - organization.lastAskedAt > maxIdleMs) this.#drop(orgId);
      else await organization.read().catch(() => {});
    }
  }

  #open(orgId: string): LiveOrganization {
    return new LiveOrganization(this.#database, orgId, () => this.#makeRoom(orgId));
  }

  #drop(orgId: string): void {
    this.#organizations.get(orgId)?.drop();
    this.#organizations.delete(orgId);
  }

  #giveUp(orgId: string, error: unknown): void {
    this.#drop(orgId);
    if (error instanceof NoRoom) this.#refusedUntil.set(orgId, performance.now() + refusalMs);
    this.#report(error instanceof Error ? error.message : String(error));
  }

  /** Drops organizations until all fit. Throws when the one that grows does not fit alone. */
  #makeRoom(growing: string): void {
    let { bytes } = this.usage;
    for (const [orgId, organization] of [...this.#organizations]) {
      if (bytes <= this.#maxBytes) return;
      if (orgId === growing) continue;
      bytes -= organization.bytes;
      this.#drop(orgId);
    }
    if (bytes <= this.#maxBytes) return;
    this.#drop(growing);
    throw new NoRoom(
      'The findings of an organization take more memory than ASSAY_COLUMNS_MB allows: they are read by SQL.',
    );
  }
}
