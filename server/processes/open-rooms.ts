import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { readChangeHorizon } from '../findings/change-clock.ts';
import { consoleSettings } from '../findings/finding-schema.ts';
import type { CheckedSettings } from '../operation/check.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../platform/postgres/database.ts';
import type { Replicas, ReplicasOptions } from '../platform/postgres/replicas/replicas.ts';
import { CachedDirectories } from '../platform/room/cached-directories.ts';
import { RoomKeeper } from '../platform/room/keep-room.ts';
import { Room } from '../platform/room/room.ts';
import { baseUrlOf, type RunOptions } from './run-options.ts';

/** Opens the replicas in DATABASE_READ_URL until the lifecycle stops; null without any. */
export async function openReplicas(
  database: Database,
  { config, databaseUrl, log, lifecycle }: Pick<RunOptions, 'config' | 'databaseUrl' | 'log' | 'lifecycle'>,
  own: Pick<ReplicasOptions, 'redisUrl' | 'pool'>,
): Promise<Replicas | null> {
  const { urls: readUrls, maxLagMs } = config.replicas;
  if (readUrls.length === 0) return null;
  const { Replicas } = await import('../platform/postgres/replicas/replicas.ts');
  const settings = consoleSettings(baseUrlOf(config));
  const options = { database, databaseUrl, readUrls, maxLagMs, mark: readChangeHorizon, settings, log };
  const replicas = new Replicas({ ...options, ...own });
  await lifecycle.onStop('replicas', () => replicas.close());
  return replicas;
}

/** Returns the disk of the database; null when it is on another machine, whose space can't be read here. */
export const databaseRoomOf = ({ databaseUrl, dataDirectory }: Pick<Config, 'databaseUrl' | 'dataDirectory'>) =>
  databaseUrl === null ? new Room(dataDirectory) : null;

/** Starts to watch the disk of a worker. SSH host keys are kept, so that a changed one is noticed. */
export function openRooms(config: Pick<Config, 'databaseUrl' | 'dataDirectory'>, log: Log) {
  const cacheDirectory = join(config.dataDirectory, 'cache');
  const caches = new CachedDirectories(cacheDirectory, ['known_hosts']);
  const room = new Room(config.dataDirectory);
  const roomKeeper = new RoomKeeper({ room, caches, log });
  return { cacheDirectory, caches, room, roomKeeper, databaseRoom: databaseRoomOf(config) };
}

/** Returns the services for the checks, besides the database. */
export const checkedSettings = ({ replicas, feeds, backups, dataDirectory, databaseUrl }: Config): CheckedSettings => ({
  replicas,
  feeds,
  backups,
  room: databaseUrl === null ? new Room(dataDirectory) : null,
});
