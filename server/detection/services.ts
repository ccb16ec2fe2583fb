import type { NetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import type { LocalRepositories } from '../data-sources/local-repository.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../platform/postgres/database.ts';
import type { CachedDirectories } from '../platform/room/cached-directories.ts';
import type { RoomKeeper } from '../platform/room/keep-room.ts';
import type { Room } from '../platform/room/room.ts';
import type { Keyring } from '../platform/sealed.ts';
import type { TargetMetrics } from './target-metrics.ts';

/** Where facts on vulnerabilities are loaded from: directories, files (of EPSS and KEV) or URLs; null for nowhere. */
export type FeedLocations = { advisories: string | null; epss: string | null; kev: string | null };

/** The services of a worker that scans need. */
export type DetectionServices = {
  database: Database;
  keyring: Keyring;
  log: Log;
  networkPolicy: NetworkPolicy;
  localRepositories: LocalRepositories;
  /** Where repositories and what detectors remember are kept between scans: losing it costs time only. */
  cacheDirectory: string;
  /** The directories of the cache, each of which is held while a scan uses it. */
  caches: CachedDirectories;
  /** The disk of this worker. */
  room: Room;
  /** The disk of the database; null when it is not this machine's. */
  databaseRoom: Room | null;
  roomKeeper: RoomKeeper;
  /** A proxy on loopback through which everything that a scan connects to goes, with the network policy. */
  egressProxyUrl: string;
  /** Where advisories and facts on exploitation are loaded from every day. */
  feeds: FeedLocations;
  /** For how long a scan that fails for a reason which may pass is tried again. */
  retryForMs: number;
  /** Aborts when the worker stops: scans under way are left for another worker, or for this one's next start. */
  stopping: AbortSignal;
  /** Absent in tests that do not look at them. */
  targetMetrics?: TargetMetrics;
};
