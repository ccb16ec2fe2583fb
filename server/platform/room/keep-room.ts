import type { Log } from '../log.ts';
import type { CachedDirectories } from './cached-directories.ts';
import { listSizes } from './directory-size.ts';
import type { Room } from './room.ts';
import { keptBytes, lowBytes, type RoomState, sizeText } from './space.ts';

/** The interval at which a disk that stays short of space is reported again. */
const reportEveryMs = 600_000;
/** The number of entries of the data directory in a report. */
const maxNamed = 6;

type KeeperOptions = { room: Room; caches: CachedDirectories; log: Log };

/**
 * Keeps space free on the disk of a data directory: removes caches, least recently used first, and reports what fills
 * the disk when that is not enough.
 */
export class RoomKeeper {
  readonly #room: Room;
  readonly #caches: CachedDirectories;
  readonly #log: Log;
  #reported: { state: RoomState; at: number } = { state: 'ok', at: 0 };

  constructor({ room, caches, log }: KeeperOptions) {
    this.#room = room;
    this.#caches = caches;
    this.#log = log;
  }

  /** Frees space when it is short. Call it every few seconds, never concurrently. */
  async keep(): Promise<void> {
    if ((await this.#room.find()).state !== 'ok') await this.#makeRoom();
    const { state } = await this.#room.find();
    const isNew = state !== this.#reported.state;
    if (!isNew && (state === 'ok' || performance.now() - this.#reported.at < reportEveryMs)) return;
    this.#reported = { state, at: performance.now() };
    if (state === 'ok') this.#log.info({ directory: this.#room.directory }, 'The disk has enough space again.');
    else await this.#report(state);
  }

  async #makeRoom(): Promise<void> {
    await this.#caches.removeLeftovers();
    const removed: string[] = [];
    let bytes = 0;
    for (const cached of await this.#caches.list()) {
      const size = await this.#caches.remove(cached);
      if (size === null) continue;
      removed.push(cached.name);
      bytes += size;
      const { freeBytes, totalBytes } = await this.#room.find();
      if (freeBytes >= keptBytes(totalBytes)) break;
    }
    if (removed.length === 0) return;
    this.#log.warn(
      {
        directory: this.#room.directory,
        removed: removed.slice(0, 50),
        caches: removed.length,
        freed: sizeText(bytes),
      },
      'Disk space was low: caches that no scan uses were removed, the least recently used first. Their next scans take longer.',
    );
  }

  async #report(state: RoomState): Promise<void> {
    const { directory } = this.#room;
    const { freeBytes, totalBytes } = await this.#room.find();
    const sizes = (await listSizes(directory)).slice(0, maxNamed);
    const known = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    const facts = {
      directory,
      free: sizeText(freeBytes),
      total: sizeText(totalBytes),
      filledBy: Object.fromEntries(sizes.map(({ name, bytes }) => [name, sizeText(bytes)])),
      outside: sizeText(Math.max(0, totalBytes - freeBytes - known)),
    };
    if (state === 'low') {
      this.#log.error(
        facts,
        `The disk is nearly full (below ${sizeText(lowBytes(totalBytes))}): fetches and imports wait, triage continues. Free some space: filledBy lists the contents of the data directory.`,
      );
      return;
    }
    this.#log.warn(
      facts,
      `Disk space is low (below ${sizeText(keptBytes(totalBytes))}), and no cache is left to remove: filledBy lists the contents of the data directory.`,
    );
  }
}
