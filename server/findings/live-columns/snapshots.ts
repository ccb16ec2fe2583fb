import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isId } from '../../platform/id.ts';
import { autocommit, type Database } from '../../platform/postgres/database.ts';
import { FindingColumns } from '../columns/finding-columns.ts';
import { layout, type Moment, readHistory, readMoment } from './column-queries.ts';
import { readColumns, type Title, writeColumns } from './snapshot-file.ts';

const suffix = '.columns';
/** A node loads the columns read within this time before it reports ready. */
const recentMs = 3_600_000;
/** Files that nobody has read for this time are removed: the change log does not go back further. */
const maxAgeMs = 86_400_000;

/** Returns a snapshot that shows none of the transactions from a number on. */
function earlier(snapshot: string, lasting: bigint): string {
  const [xmin, xmax, running = ''] = snapshot.split(':');
  const end = BigInt(xmax!) < lasting ? BigInt(xmax!) : lasting;
  const start = BigInt(xmin!) < end ? xmin : end;
  return `${start}:${end}:${running
    .split(',')
    .filter((transaction) => transaction !== '' && BigInt(transaction) < end)
    .join()}`;
}

/** Lists the files of a directory with the milliseconds since their last use, most recent first. */
async function listFiles(directory: string): Promise<Array<{ name: string; ageMs: number }>> {
  const names = await readdir(directory).catch(() => []);
  const files = names.map(async (name) => {
    const found = await stat(join(directory, name)).catch(() => null);
    return found === null ? [] : [{ name, ageMs: Date.now() - found.mtimeMs }];
  });
  return (await Promise.all(files)).flat().sort((one, other) => one.ageMs - other.ageMs);
}

/** Lists the organizations whose columns were read in the last hour, most recent first. */
export async function listRecent(directory: string): Promise<string[]> {
  const recent = (await listFiles(directory)).filter(({ ageMs }) => ageMs < recentMs);
  return recent.map(({ name }) => name.slice(0, -suffix.length)).filter((orgId) => isId('org', orgId));
}

/** Stores the columns of each organization in a file, so that they load quickly after a start. */
export class Snapshots {
  readonly #database: Database;
  readonly #directory: string;

  constructor(database: Database, directory: string) {
    this.#database = database;
    this.#directory = directory;
  }

  #pathOf(orgId: string): string {
    return join(this.#directory, `${orgId}${suffix}`);
  }

  listRecent(): Promise<string[]> {
    return listRecent(this.#directory);
  }

  /** Stores columns as of a moment. Changes during the write are in the change log after that moment. */
  async store(orgId: string, loaded: { columns: FindingColumns; moment: Moment }): Promise<void> {
    const { history, lasting } = await readHistory(autocommit(this.#database, orgId));
    const { columns, moment } = loaded;
    const title = { orgId, layout, history, snapshot: earlier(moment.snapshot, BigInt(lasting)) };
    await writeColumns(this.#pathOf(orgId), title, columns.store());
  }

  /**
   * Returns the stored columns; the caller must apply all changes since their moment. Returns null if there are none of
   * this organization, database and schema. Throws for a damaged file and deletes it.
   */
  async read(orgId: string): Promise<{ columns: FindingColumns; moment: Moment } | null> {
    const db = autocommit(this.#database, orgId);
    const [{ history }, { server }] = [await readHistory(db), await readMoment(db, orgId)];
    const isOwn = (title: Title) => title.orgId === orgId && title.layout === layout && title.history === history;
    try {
      const found = await readColumns(this.#pathOf(orgId), isOwn);
      if (found === null) return null;
      return { columns: FindingColumns.of(found), moment: { snapshot: found.title.snapshot, server } };
    } catch (error) {
      await this.remove(orgId);
      throw error;
    }
  }

  /** Records that somebody reads the organization's columns. */
  async touch(orgId: string): Promise<void> {
    const now = new Date();
    // There may be no file yet.
    await utimes(this.#pathOf(orgId), now, now).catch(() => {});
  }

  async remove(orgId: string): Promise<void> {
    await rm(this.#pathOf(orgId), { force: true });
  }

  /** Removes unused files, and partial files of killed processes. */
  async removeOld(): Promise<void> {
    for (const { name, ageMs } of await listFiles(this.#directory)) {
      if (ageMs > (name.endsWith(suffix) ? maxAgeMs : recentMs)) await rm(join(this.#directory, name), { force: true });
    }
  }
}
