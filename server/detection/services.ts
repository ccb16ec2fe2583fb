import type { NetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import type { LocalRepositories } from '../data-sources/local-repository.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../platform/postgres/database.ts';
import type { CachedDirectories } from '../platform/room/cached-directories.ts';
import type { RoomKeeper } from '../platform/room/keep-room.ts';
import type { Room } from '../platform/room/room.ts';
import type { Keyring } from '../platform/sealed.ts';
import type { TargetMetrics } from './target-metrics.ts';

/** Sources of facts about vulnerabilities: directories, files (of EPSS and KEV) or URLs; null for none. */
export type FeedLocations = { advisories: string | null; epss: string | null; kev: string | null };

/** The services of a worker that scans need. */
export type DetectionServices = {
  database: Database;
  keyring: Keyring;
  log: Log;
  networkPolicy: NetworkPolicy;
  localRepositories: LocalRepositories;
  /** Repositories and the caches of detectors between scans: losing them costs only time. */
  cacheDirectory: string;
  /** The directories of the cache. A scan locks those that it uses. */
  caches: CachedDirectories;
  /** The disk of this worker. */
  room: Room;
  /** The disk of the database; null when it is not this machine's. */
  databaseRoom: Room | null;
  roomKeeper: RoomKeeper;
  /** A proxy on loopback for all connections of scans, which applies the network policy. */
  egressProxyUrl: string;
  /** Sources from which advisories and facts on exploitation are loaded daily. */
  feeds: FeedLocations;
  /** The time for which a scan that fails for a temporary reason is retried. */
  retryForMs: number;
  /** Aborts when the worker stops: running scans are left for another worker, or for this one after a restart. */
  stopping: AbortSignal;
  /** Absent in tests that don't check them. */
  targetMetrics?: TargetMetrics;
};
