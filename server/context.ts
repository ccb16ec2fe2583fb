import type { Database } from './platform/database.ts';
import type { CursorCodec } from './platform/http/cursor.ts';
import { routesOf } from './platform/http/route.ts';

/** What every route's handler gets, beside the request itself. */
export type Context = {
  database: Database;
  cursors: CursorCodec;
};

export type Role = 'viewer' | 'analyst' | 'admin' | 'owner';

export type Scope =
  | `findings:${'read' | 'write'}`
  | `scans:${'read' | 'write'}`
  | `reports:${'read' | 'write'}`
  | `sources:${'read' | 'write'}`
  | `organization:${'read' | 'write'}`;

/** Defines a route of this application: see platform/http/route.ts. */
export const defineRoute = routesOf<Context, { role: Role; scope: Scope }>();
