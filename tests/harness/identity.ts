import type { FastifyInstance, InjectOptions } from 'fastify';
import { readConfig } from '../../server/config/config.ts';
import type { Context } from '../../server/context.ts';
import { ScanWatches, scanChannel } from '../../server/detection/scans/scan-watches.ts';
import { EventFeeds, eventChannel } from '../../server/events/event-feeds.ts';
import { FigureCache } from '../../server/findings/figures/figure-cache.ts';
import { ColumnService } from '../../server/findings/live-columns/column-service.ts';
import { Authenticator } from '../../server/identity/authenticate.ts';
import type { Auth } from '../../server/identity/library/auth.ts';
import { createIdentity, type IdentityOptions } from '../../server/identity/services.ts';
import { mountSignIn } from '../../server/identity/sign-in/mount-sign-in.ts';
import { signInRoutes } from '../../server/identity/sign-in/routes.ts';
import { authenticationChannel } from '../../server/organization/authentication-changes.ts';
import { authorize } from '../../server/organization/roles.ts';
import { createCursorCodec } from '../../server/platform/http/cursor.ts';
import { FailedAuthentications } from '../../server/platform/http/failed-authentications.ts';
import type { RouteDefinition } from '../../server/platform/http/route.ts';
import { createHttpServer, type HttpServerOptions } from '../../server/platform/http/server.ts';
import { silentLog } from '../../server/platform/log.ts';
import type { Database } from '../../server/platform/postgres/database.ts';
import { listenForNotifications, type Notifications } from '../../server/platform/postgres/notifications.ts';
import type { Replicas } from '../../server/platform/postgres/replicas/replicas.ts';
import { createMemoryRateLimiter, type Rate } from '../../server/platform/rate-limit/rate-limit.ts';
import { createKeyring } from '../../server/platform/sealed.ts';
import { testBaseUrl } from './people.ts';

/** A rate limit that no test reaches. */
const generousRate: Rate = { requestsPerMinute: 100_000, burstPerMinute: 200_000 };

export type Node = { app: FastifyInstance; auth: Auth; notifications: Notifications; close(): Promise<void> };

/** An API node with these routes on the database, built like the server, but without a socket. */
export async function createTestNode(
  database: Database,
  routes: readonly RouteDefinition<Context>[],
  rate: Rate = generousRate,
  /** The services that the routes need besides the database. */
  services: Partial<Context> = {},
  /** The number of wrong credentials that one address may present. */
  failures: Rate = generousRate,
  config: Partial<HttpServerOptions<Context>['config']> = {},
  identityOptions: Partial<IdentityOptions> = {},
  replicas: Replicas | null = null,
  /** Log, metrics and limits of the server. */
  server: Partial<HttpServerOptions<Context>> = {},
): Promise<Node> {
  const log = server.log ?? silentLog;
  const failedAuthentications = new FailedAuthentications(failures);
  const secret = 'x'.repeat(32);
  const identity = createIdentity({
    database,
    secret,
    baseUrl: testBaseUrl,
    sendsMail: true,
    failedAuthentications,
    log,
    keyring: createKeyring('k'.repeat(40)),
    singleSignOn: null,
    ...identityOptions,
  });
  const { auth } = identity;
  const notifications = listenForNotifications(database, log, [authenticationChannel, scanChannel, eventChannel]);
  const scanWatches = new ScanWatches(database, notifications);
  const eventFeeds = new EventFeeds(database, notifications);
  const authenticator = new Authenticator({
    database,
    notifications,
    auth,
    log,
    rateLimit: rate,
    baseUrl: testBaseUrl,
  });
  const rateLimiter = createMemoryRateLimiter();
  const cursors = createCursorCodec(Buffer.alloc(32, 1));
  const figures = new FigureCache();
  const databaseUrl = database.pool.options.connectionString!;
  const columns = new ColumnService({ database, databaseUrl, maxBytes: 100_000_000, log });
  const limits = readConfig({}).limits;
  const own = {
    checked: {
      replicas: { urls: [], maxLagMs: 5_000 },
      feeds: { advisories: null, epss: null, kev: null },
      backups: null,
      room: null,
    },
    databaseRoom: null,
    database,
    scanWatches,
    eventFeeds,
    figures,
    columns,
    cursors,
    identity,
    rateLimit: rate,
    limits,
  };
  const context = { ...own, ...services } as Context;
  const app = await createHttpServer<Context>({
    routes,
    document: { info: { title: 'Test' } },
    context,
    database,
    replicas,
    authenticate: authenticator.authenticate,
    rightsNews: authenticator.rightsNews,
    authorize,
    rateLimiter,
    failedAuthentications,
    log,
    onRefusal: identity.failedSignIns.observe,
    readiness: async () => {},
    config: { version: 'test', baseUrl: testBaseUrl, checkResponses: true, ...config },
    ...server,
  });
  await mountSignIn(app, signInRoutes, context, { log, checkResponses: true });
  await app.ready();
  return {
    app,
    auth,
    notifications,
    async close() {
      scanWatches.close();
      eventFeeds.close();
      await app.close();
      await columns.close();
      await authenticator.close();
      await identity.failedSignIns.close();
      await notifications.close();
      await rateLimiter.close();
    },
  };
}

/** Calls the API below its prefix with a token or with these headers. */
export async function call(
  node: Node,
  credential: string | Record<string, string> | null,
  method: NonNullable<InjectOptions['method']>,
  path: string,
  body?: object,
) {
  const headers = typeof credential === 'string' ? { authorization: `Bearer ${credential}` } : (credential ?? {});
  const response = await node.app.inject({ method, url: `/api/v1${path}`, headers, ...(body && { payload: body }) });
  return {
    status: response.statusCode,
    headers: response.headers,
    // biome-ignore lint/suspicious/noExplicitAny: each test asserts what it reads of a response
    body: (response.body === '' ? null : response.json()) as any,
  };
}
