import type { FastifyInstance, InjectOptions } from 'fastify';
import { outsideRoutes } from '../../server/api.ts';
import { readLimits } from '../../server/config-limits.ts';
import type { Context } from '../../server/context.ts';
import { ScanWatches, scanChannel } from '../../server/detection/scans/scan-watches.ts';
import { EventFeeds, eventChannel } from '../../server/events/event-feeds.ts';
import { FigureCache } from '../../server/findings/figures/figure-cache.ts';
import { insertVerifiedUser } from '../../server/identity/accounts/account-queries.ts';
import type { Auth } from '../../server/identity/auth.ts';
import { Authenticator } from '../../server/identity/authenticate.ts';
import { issueToken } from '../../server/identity/issue-token.ts';
import { hashPassword } from '../../server/identity/password.ts';
import { createIdentity, type IdentityOptions } from '../../server/identity/services.ts';
import { mountSignIn } from '../../server/identity/sign-in/mount-sign-in.ts';
import { authenticationChannel } from '../../server/organization/authentication-changes.ts';
import { createOrganization, newOrganizationId } from '../../server/organization/create-organization.ts';
import { insertMember } from '../../server/organization/queries.ts';
import { authorize, type Role, type Scope } from '../../server/organization/roles.ts';
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

export const testBaseUrl = 'http://127.0.0.1:8080';
export const testPassword = 'correct horse battery';

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
  /** Wrong credentials that one address may present. */
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
  const limits = readLimits((_name, fallback) => fallback);
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
  await mountSignIn(app, outsideRoutes, context, { log, checkResponses: true });
  await app.ready();
  return {
    app,
    auth,
    notifications,
    async close() {
      scanWatches.close();
      eventFeeds.close();
      await app.close();
      await authenticator.close();
      await identity.failedSignIns.close();
      await notifications.close();
      await rateLimiter.close();
    },
  };
}

export type Person = { orgId: string; userId: string; email: string; token: string };

let passwordHash: Promise<string> | undefined;
let people = 0;

/** Creates a person with a verified address who signs in with `testPassword`. */
export async function createPerson(database: Database, email = `person${++people}@example.com`) {
  passwordHash ??= hashPassword(testPassword);
  const user = { email, name: email.split('@')[0]!, passwordHash: await passwordHash };
  return database.transaction(null, async (tx) => (await insertVerifiedUser(tx, user))!);
}

/** Creates an organization with an owner and a token of theirs. */
export async function createTenant(database: Database, name = 'Example'): Promise<Person> {
  const owner = await createPerson(database);
  const orgId = newOrganizationId();
  await database.transaction(orgId, (tx) => createOrganization(tx, orgId, { name, ownerId: owner.id }));
  return { orgId, userId: owner.id, email: owner.email, token: await createTokenFor(database, orgId, owner.id) };
}

/** Creates a member of the organization and a token of theirs. */
export async function createTestMember(database: Database, orgId: string, role: Role): Promise<Person> {
  const user = await createPerson(database);
  await database.transaction(orgId, (tx) => insertMember(tx, orgId, user.id, role));
  return { orgId, userId: user.id, email: user.email, token: await createTokenFor(database, orgId, user.id) };
}

export async function createTokenFor(
  database: Database,
  orgId: string,
  userId: string,
  options: { scopes?: Scope[] } = {},
): Promise<string> {
  const wanted = { userId, name: 'Test', scopes: options.scopes ?? null, expiresAt: null };
  return (await database.transaction(orgId, (tx) => issueToken(tx, orgId, wanted))).token;
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
    // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads of a response
    body: (response.body === '' ? null : response.json()) as any,
  };
}
