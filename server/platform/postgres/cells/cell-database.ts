import { ApiError, errorCode } from '../../errors.ts';
import {
  type Database,
  type DatabaseOptions,
  type Db,
  isMoving,
  openDatabase,
  translateDatabaseError,
} from '../database.ts';
import { homeCell } from './cell-name.ts';

/** A cell besides the home cell. */
export type Cell = { name: string; url: string };

/** The error code of `enter_organization()` for an organization that another cell serves. */
const isAbsent = 'ASC01';

/** The directory of the home cell: the cells of organizations, as last read. */
class Directory {
  readonly #cells: ReadonlyMap<string, Database>;
  readonly #known = new Map<string, string>();

  constructor(cells: ReadonlyMap<string, Database>) {
    this.#cells = cells;
  }

  async #find(orgId: string): Promise<Database> {
    const name = this.#known.get(orgId) ?? (await this.#read(orgId));
    const cell = this.#cells.get(name);
    if (cell) return cell;
    throw new ApiError(
      'unavailable',
      `The organization is in the cell ${name}, which this node does not know. The operator has to add it to ASSAY_CELLS.`,
      { headers: { 'Retry-After': '30' } },
    );
  }

  async #read(orgId: string): Promise<string> {
    const rows = await this.#cells.get(homeCell)!.single<{ cell: string }>(null, {
      text: 'SELECT cell FROM organization_cells WHERE organization_id = $1',
      values: [orgId],
    });
    const name = rows[0]?.cell ?? homeCell;
    this.#known.set(orgId, name);
    return name;
  }

  /** Runs `run` in the organization's cell; if it has just left that cell, again in its new one. */
  async use<T>(orgId: string | null, run: (cell: Database) => Promise<T>): Promise<T> {
    if (orgId === null) return run(this.#cells.get(homeCell)!);
    try {
      return await run(await this.#find(orgId));
    } catch (error) {
      if (errorCode(error) !== isAbsent) throw error;
    }
    this.#known.delete(orgId);
    try {
      return await run(await this.#find(orgId));
    } catch (error) {
      if (errorCode(error) !== isAbsent) throw error;
      // It has left one cell and is not in the other yet.
      this.#known.delete(orgId);
      throw translateDatabaseError(
        Object.assign(new Error('No cell serves it.', { cause: error }), { code: isMoving }),
      );
    }
  }
}

/**
 * Opens the database of the installation. With `cells`, each transaction runs in the cell of its organization, and those
 * without an organization in the home cell. Without any, it is the database itself.
 */
export function openDatabases(options: Omit<DatabaseOptions, 'cell'>, others: readonly Cell[]): Database {
  if (others.length === 0) return openDatabase(options);
  const home = { name: homeCell, url: options.connectionString };
  const cells = new Map(
    [home, ...others].map(({ name, url }) => [name, openDatabase({ ...options, connectionString: url, cell: name })]),
  );
  const directory = new Directory(cells);
  return {
    pool: cells.get(homeCell)!.pool,
    cells,
    transaction: (orgId, run) => directory.use(orgId, (cell) => cell.transaction(orgId, run)),
    consistentTransaction: (orgId, run) => directory.use(orgId, (cell) => cell.consistentTransaction(orgId, run)),
    single: (orgId, statement, before) => directory.use(orgId, (cell) => cell.single(orgId, statement, before)),
    close: async () => void (await Promise.all([...cells.values()].map((cell) => cell.close()))),
  };
}

/** Adds a new organization to the directory of the home cell, before the organization is created in its cell. */
export async function insertOrganizationCell(home: Db, orgId: string, cell: string): Promise<void> {
  await home.query({
    text: 'INSERT INTO organization_cells (organization_id, cell) VALUES ($1, $2)',
    values: [orgId, cell],
  });
}

/** Lists the cells with their databases, the home cell first. Without cells it is the database itself, without a name. */
export const listCells = (database: Database): Array<[name: string | undefined, cell: Database]> =>
  database.cells ? [...database.cells] : [[undefined, database]];

/**
 * Runs `run` in each cell at once, and returns the results, that of the home cell first. Throws the first error once all
 * have ended. Without cells it runs once, with the database itself.
 */
export async function inEachCell<T>(database: Database, run: (cell: Database) => Promise<T>): Promise<T[]> {
  const ends = await Promise.allSettled(listCells(database).map(([, cell]) => run(cell)));
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}

/** A cell other than the home cell is considered away when it has not responded for this long. */
const patienceMs = 3_000;
/** A cell that was away is not asked for this long by callers that can do without it. */
const pauseMs = 5_000;
const askedAgainAt = new WeakMap<Database, number>();

/** Asks a cell among others: one that is away, or does not respond at all, must not hold up the organizations of others. */
async function ask<T>([name, cell]: [string | undefined, Database], run: (cell: Database) => Promise<T>): Promise<T> {
  if (name === undefined || name === homeCell) return run(cell);
  const away = () =>
    new ApiError('unavailable', 'A part of the database is not available at the moment. Try again in a few seconds.', {
      headers: { 'Retry-After': `${pauseMs / 1_000}` },
    });
  if (performance.now() < (askedAgainAt.get(cell) ?? 0)) throw away();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(away()), patienceMs);
  try {
    return await Promise.race([run(cell), late.promise]);
  } catch (error) {
    const isAway = error instanceof ApiError && error.code === 'unavailable' && errorCode(error.cause) !== isMoving;
    if (isAway) askedAgainAt.set(cell, performance.now() + pauseMs);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs `run` in each cell at once, and returns the results of those that succeed, with the first error as `missing`, if
 * any. Throws it if all fail.
 */
export async function inReachableCells<T>(
  database: Database,
  run: (cell: Database) => Promise<T>,
): Promise<{ results: T[]; missing?: unknown }> {
  const ends = await Promise.allSettled(listCells(database).map((cell) => ask(cell, run)));
  const results = ends.filter((end) => end.status === 'fulfilled').map(({ value }) => value);
  const failed = ends.find((end) => end.status === 'rejected');
  if (!failed) return { results };
  if (results.length === 0) throw failed.reason;
  return { results, missing: failed.reason };
}

const maxRemembered = 10_000;
const remembered = new WeakMap<Database, Map<string, Database>>();

/**
 * Returns the first result that is not null or undefined, for something that is in one cell. A cell that is away is an
 * error only if no other has it. With a `key`, the cell that had it last is asked before the others.
 */
export async function findInCells<T>(
  database: Database,
  find: (cell: Database) => Promise<T | null | undefined>,
  key?: string,
): Promise<T | undefined> {
  if (!database.cells) return (await find(database)) ?? undefined;
  const known = remembered.get(database) ?? new Map<string, Database>();
  remembered.set(database, known);
  const last = key === undefined ? undefined : known.get(key);
  const found = last && (await find(last));
  if (found != null) return found;
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  const look = async (place: [string | undefined, Database]) => {
    const value = await ask(place, find);
    if (value == null) return;
    if (known.size >= maxRemembered) known.clear();
    if (key !== undefined) known.set(key, place[1]);
    // The others may take long.
    resolve(value);
  };
  void Promise.allSettled(listCells(database).map(look)).then((ends) => {
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) reject(failed.reason);
    else resolve(undefined);
  });
  return promise;
}
