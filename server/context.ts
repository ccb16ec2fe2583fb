import type { DataSourceServices } from './data-sources/services.ts';
import type { ImportReader } from './detection/imports/import-reader.ts';
import type { ScanWatches } from './detection/scans/scan-watches.ts';
import type { EventFeeds } from './events/event-feeds.ts';
import type { FigureCache } from './findings/figures/figure-cache.ts';
import type { ColumnService } from './findings/live-columns/column-service.ts';
import type { IdentityServices } from './identity/services.ts';
import type { CheckedSettings } from './operation/check.ts';
import type { CursorCodec } from './platform/http/cursor.ts';
import { routesOf } from './platform/http/route.ts';
import type { Limits } from './platform/limits.ts';
import type { Database } from './platform/postgres/database.ts';
import type { Rate } from './platform/rate-limit/rate-limit.ts';
import type { Room } from './platform/room/room.ts';

/** Everything that a route's handler gets in addition to the request. */
export type Context = {
  database: Database;
  cursors: CursorCodec;
  dataSources: DataSourceServices;
  identity: IdentityServices;
  /** The scans whose events are being streamed. */
  scanWatches: ScanWatches;
  /** The organizations whose event streams are open. */
  eventFeeds: EventFeeds;
  /** The most recently computed figures. */
  figures: FigureCache;
  /** The columns of the findings of large organizations. */
  columns: ColumnService;
  /** Reads uploaded result files. */
  imports: ImportReader;
  /** The rate limit for tokens of organizations without their own. */
  rateLimit: Rate;
  limits: Limits;
  /** Services for the check of the installation, besides the database. */
  checked: CheckedSettings;
  /** The disk of the database; null when it is not this machine's. */
  databaseRoom: Room | null;
};

export type Role = 'viewer' | 'developer' | 'analyst' | 'admin' | 'owner';

export type Scope =
  | `findings:${'read' | 'write'}`
  | `scans:${'read' | 'write'}`
  | `reports:${'read' | 'write'}`
  | `sources:${'read' | 'write'}`
  | `organization:${'read' | 'write'}`;

/** Defines a route of this application: see platform/http/route.ts. */
export const defineRoute = routesOf<Context, { role: Role; scope: Scope }>();
