import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { chargeRequests, chargeStream } from '../cost/charge-requests.ts';
import type { ProcessorBudget } from '../cost/processor-budget.ts';
import { asPartOf } from '../cost/request-cost.ts';
import { ApiError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import type { Database } from '../postgres/database.ts';
import type { SharedMark } from '../postgres/replicas/marks.ts';
import type { Replicas } from '../postgres/replicas/replicas.ts';
import type { RateLimiter } from '../rate-limit/rate-limit.ts';
import { traceRequests } from '../tracing/trace-requests.ts';
import { acceptOnlyOurs } from './accepted-requests.ts';
import type { Actor } from './actor.ts';
import { type AdmissionOptions, admit, requirePermission } from './admission.ts';
import { acceptJson, defaultBodyLimit } from './body/json-body.ts';
import { acceptFiles } from './body/raw-body.ts';
import { settleBodies } from './body/settle-body.ts';
import type { UploadPace } from './body/upload.ts';
import { refuseInvalidHttp } from './client-error.ts';
import { writeDeprecation } from './deprecation.ts';
import { addDocs } from './docs.ts';
import { addDrain, type ClosingTimes } from './drain.ts';
import { EventStreams, type RightsNews } from './event-streams.ts';
import { FailedAuthentications } from './failed-authentications.ts';
import { handleFailures } from './failure.ts';
import { compileRoute, handleRequest } from './handle.ts';
import { observeRequests } from './observe.ts';
import { addProbes } from './probes.ts';
import type { RouteDefinition } from './route.ts';
import { allowOrigins, compressResponses, protectBrowsers } from './security.ts';
import { createUnknownPath, type UnknownPath } from './unknown-path.ts';

export type HttpServerOptions<Context> = {
  routes: readonly RouteDefinition<Context>[];
  context: Context;
  database: Database;
  /** For routes that read from replicas. */
  replicas?: Replicas | null;
  authenticate: AdmissionOptions['authenticate'];
  authorize: AdmissionOptions['authorize'];
  /** Notifications of changed rights, for event streams. Without it, rights are checked every second. */
  rightsNews?: RightsNews;
  rateLimiter: RateLimiter;
  budget?: ProcessorBudget | null;
  /** Shared with everything else that checks credentials; a new one by default. */
  failedAuthentications?: FailedAuthentications;
  log: Log;
  /** Called with every request that fails, before its response is sent. */
  onRefusal?(request: FastifyRequest, failure: ApiError): void;
  /** The OpenAPI document to serve, with a page for people. */
  document: { info: { title: string } };
  /** One for the whole process; a new one by default. */
  metrics?: Metrics;
  /** Resolves when requests can be served. When it rejects, the error is logged and `/readyz` returns 503. */
  readiness(): Promise<void>;
  config: {
    version: string;
    /** The URL of the service as seen from outside, without a path. */
    baseUrl: string;
    /** Names of the service besides that of the base URL. */
    allowedHosts?: string[];
    corsOrigins?: string[];
    /** Addresses or networks of proxies whose X-Forwarded-For is trusted. */
    trustedProxies?: string[];
    /** The bearer token for /metrics; without one, only this machine may read them. */
    metricsToken?: string | null;
    /** Requests that take longer are logged a second time; none by default. */
    slowRequestMs?: number;
    /** The time within which a JSON body must arrive. */
    bodyTimeoutMs?: number;
    /** The minimum speed at which streamed bodies must arrive. */
    uploadPace?: UploadPace;
    closingTimes?: ClosingTimes;
    /** Returns 500 for a response that does not match its schema: for tests. */
    checkResponses?: boolean;
  };
};

const apiPrefix = '/api/v1';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null;
    /** What other nodes know of the caller, for reading from a replica. */
    looked: Promise<SharedMark> | null;
  }
  interface FastifyContextConfig {
    definition?: RouteDefinition<never>;
    /** Whether the route needs no authentication and counts against no limit. */
    open?: boolean;
  }
}

const safeId = /^[A-Za-z0-9._:-]{1,64}$/;

/**
 * Returns the client's own request id where it is harmless, so that its logs and ours can be matched; otherwise a new
 * one.
 */
function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && safeId.test(header) ? header : `req_${randomUUID()}`;
}

/** Replaces a path that can't be decoded by one that doesn't exist, so that the order of checks stays the same. */
function decodable(url: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  if (!path.includes('%')) return url;
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.startsWith(`${apiPrefix}/`) ? `${apiPrefix}/-/-` : '/-/-';
  }
}

/**
 * Makes the HTTP server of an application, with its routes below /api/v1 and the probes. It does not listen yet, so
 * that more can be registered on it, outside the prefix. Throws when a route is declared wrongly, above all without a
 * permission.
 */
export async function createHttpServer<Context>(options: HttpServerOptions<Context>): Promise<FastifyInstance> {
  const metrics = options.metrics ?? createMetrics();
  const app = Fastify({
    logger: false,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    clientErrorHandler: refuseInvalidHttp,
    trustProxy: options.config.trustedProxies?.length ? options.config.trustedProxies : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    keepAliveTimeout: 72_000,
    requestTimeout: 3_600_000,
    // Node.js would refuse a request without Host itself, without a body.
    http: { headersTimeout: 10_000, maxHeaderSize: 16_384, requireHostHeader: false },
    rewriteUrl: (request) => decodable(request.url ?? '/'),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 20_000, querystringParser: () => ({}) },
  }) as unknown as FastifyInstance;
  app.decorateRequest('actor', null);
  app.decorateRequest('looked', null);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
  });
  await protectBrowsers(app, options.config.baseUrl);
  await compressResponses(app);
  const failedAuthentications = options.failedAuthentications ?? new FailedAuthentications();
  addDrain(app, options.config.closingTimes);
  addProbes(app, { ...options, ...options.config, failedAuthentications, metrics });
  observeRequests(app, metrics, options.log, options.config.slowRequestMs);
  traceRequests(app);
  settleBodies(app);
  handleFailures(app, options, metrics);
  const unknownPath = createUnknownPath(options.routes);
  const { baseUrl, allowedHosts = [] } = options.config;
  acceptOnlyOurs(app, { baseUrl, allowedHosts, prefix: apiPrefix, unknownPath, log: options.log });
  app.setNotFoundHandler(() => {
    throw new ApiError('not_found', 'There is nothing at this path.');
  });
  await app.register((api) => registerApi(api, options, failedAuthentications, unknownPath), { prefix: apiPrefix });
  return app;
}

async function registerApi<Context>(
  api: FastifyInstance,
  options: HttpServerOptions<Context>,
  failedAuthentications: FailedAuthentications,
  unknownPath: UnknownPath,
): Promise<void> {
  await allowOrigins(api, options.config.corsOrigins ?? []);
  chargeRequests(api, options.budget?.isOn ?? false);
  const admission: AdmissionOptions = {
    authenticate: options.authenticate,
    authorize: options.authorize,
    rateLimiter: options.rateLimiter,
    budget: options.budget ?? null,
    failedAuthentications,
    // Asked together with the rate limit, it adds no time to the request.
    onCaller: (request, { credentialId }) => {
      const { definition } = request.routeOptions.config;
      if (definition?.readsReplica) request.looked = options.replicas?.look(credentialId) ?? null;
    },
  };
  api.addHook('onRequest', async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    const { definition, open } = request.routeOptions.config;
    writeDeprecation(reply, definition?.deprecated);
    if (open || definition?.permission === 'public') return;
    request.actor = await admit(request, reply, admission);
    const path = pathBelowPrefix(request);
    if (!definition || unknownPath.isTaken(definition, path)) throw unknownPath.refuse(request.method, path);
    requirePermission(request.actor, definition, options.authorize);
  });
  acceptJson(api, options.config.bodyTimeoutMs);
  addDocs(api, apiPrefix, options.document);
  const unreachable = async () => {
    throw new ApiError('not_found', 'There is nothing at this path.');
  };
  api.all('/*', { exposeHeadRoute: false }, unreachable);
  api.setNotFoundHandler(unreachable);
  const { authenticate, rightsNews = noNews, replicas } = options;
  const streams = new EventStreams(authenticate, rightsNews, (actor) => replicas?.note(actor.credentialId));
  api.addHook('preClose', async () => streams.close());
  for (const definition of options.routes) addRoute(api, definition, options, streams);
}

const pathBelowPrefix = (request: FastifyRequest) =>
  request.url.slice(apiPrefix.length).split('?', 1)[0]!.replace(/^$/, '/');

const noNews: RightsNews = { onChange: () => () => {}, isListening: () => false };

const knownPermission = ({ permission }: { permission?: unknown }) =>
  permission === 'public' ||
  permission === 'authenticated' ||
  permission === 'session' ||
  (typeof permission === 'object' && permission !== null && 'role' in permission && 'scope' in permission);

function addRoute<Context>(
  api: FastifyInstance,
  definition: RouteDefinition<Context>,
  options: HttpServerOptions<Context>,
  streams: EventStreams,
): void {
  const name = `${definition.method} ${definition.path}`;
  if (!knownPermission(definition)) throw new Error(`${name} declares no permission.`);
  const route = compileRoute(definition, options.config.checkResponses ?? false);
  const isEvents = 'text/event-stream' in (definition.responses[200]?.content ?? {});
  const add = (scope: FastifyInstance) =>
    scope.route({
      method: definition.method,
      url: definition.path.replace(/\{(\w+)\}/g, ':$1'),
      bodyLimit: definition.bodyLimit ?? defaultBodyLimit,
      config: { definition: definition as unknown as RouteDefinition<never> },
      handler: async (request, reply) => {
        const handle = () => handleRequest(route, { request, reply, actor: request.actor }, options);
        const run = () => (isEvents ? streams.open({ actor: request.actor!, request, reply }, handle) : handle());
        const payload = chargeStream(request, await asPartOf(request.cost, run));
        return reply.sent ? reply : reply.send(payload);
      },
    });
  if (!definition.rawBody) return void add(api);
  api.register(async (scope) => {
    acceptFiles(scope);
    add(scope);
  });
}
