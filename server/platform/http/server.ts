import { randomBytes, randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { chargeRequests, chargeStream } from '../cost/charge-requests.ts';
import { asPartOf } from '../cost/request-cost.ts';
import { ApiError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import type { Database } from '../postgres/database.ts';
import { slowRequest } from '../postgres/outage.ts';
import type { SharedMark } from '../postgres/replicas/marks.ts';
import type { Replicas } from '../postgres/replicas/replicas.ts';
import type { RateLimiter } from '../rate-limit/rate-limit.ts';
import { traceRequests } from '../tracing/trace-requests.ts';
import { acceptOnlyOurs, allMethods } from './accepted-requests.ts';
import type { Actor } from './actor.ts';
import { finishBodies } from './body/finish-body.ts';
import { acceptJson, defaultBodyLimit } from './body/json-body.ts';
import { acceptFiles } from './body/raw-body.ts';
import type { UploadPace } from './body/upload.ts';
import { addDocs } from './docs.ts';
import { EventStreams, type RightsNews } from './event-streams.ts';
import { FailedAuthentications } from './failed-authentications.ts';
import { type ErrorBody, handleFailures } from './failure.ts';
import { compileRoute, handleRequest } from './handle.ts';
import { type AdmissionOptions, admit, requirePermission } from './limits.ts';
import { addProbes } from './probes.ts';
import type { ProcessorBudget } from './processor-budget.ts';
import type { Deprecation, RouteDefinition } from './route.ts';
import { allowOrigins, compressResponses, protectBrowsers } from './security.ts';
import { addDrain, type ClosingTimes } from './shutdown.ts';
import { createUnknownPath, type UnknownPath } from './unknown-path.ts';

/** The status that nginx logs for a client that closed the connection before the response. */
const clientClosedRequest = 499;

/**
 * Returns whether responses of a route are slow by nature: an upload takes as long as its sender, and a stream of
 * events ends with its reader.
 */
const takesTime = ({ rawBody, responses }: RouteDefinition<never>) =>
  Boolean(rawBody) || 'text/event-stream' in (responses[200]?.content ?? {});

/**
 * Counts and logs each request without path and query, which may contain secrets. A request whose response starts
 * after more than `slowMs` (0: never) gets a second line at level `warn`.
 */
function observeRequests(app: FastifyInstance, metrics: Metrics, log: Log, slowMs = 0): void {
  // Redaction looks for secret fields at every depth, which takes 60 µs a line; these lines have only the fields below.
  const requestLog = log.child({}, { redact: [] });
  const started = new WeakMap<FastifyRequest, number>();
  const responded = new WeakMap<FastifyRequest, number>();
  const observe = (request: FastifyRequest, status: number) => {
    // A client can close the connection before or after its response is sent: the first event counts.
    const startedAt = started.get(request);
    if (startedAt === undefined) return;
    started.delete(request);
    const elapsedMs = performance.now() - startedAt;
    const { definition } = request.routeOptions.config ?? {};
    const operation = definition?.operationId ?? 'none';
    metrics.observeRequest(operation, request.method, status, elapsedMs / 1000);
    const { orgId, userId, credentialId } = request.actor ?? {};
    const durationMs = Math.round(elapsedMs * 10) / 10;
    const line = { requestId: request.id, operation, method: request.method, status, durationMs };
    const traceId = request.span?.traceId;
    requestLog.info({ ...line, orgId, userId, credentialId, ...(traceId && { traceId }) }, 'request');
    const waitedMs = (responded.get(request) ?? startedAt + elapsedMs) - startedAt;
    if (slowMs === 0 || waitedMs < slowMs || (definition && takesTime(definition))) return;
    requestLog.warn({ ...line, durationMs: Math.round(waitedMs * 10) / 10, orgId, credentialId }, slowRequest);
  };
  app.addHook('onRequest', async (request) => {
    started.set(request, performance.now());
  });
  app.addHook('onSend', async (request) => {
    responded.set(request, performance.now());
  });
  app.addHook('onResponse', async (request, reply) => observe(request, reply.statusCode));
  app.addHook('onRequestAbort', async (request) => observe(request, clientClosedRequest));
}

type Refusal = { status: string; code: string; message: string; headers?: string[] };
type ClientError = Error & { code?: string; rawPacket?: unknown };

const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'invalid_request',
    message: 'The address and the headers are larger than 16 KiB together.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'request_timeout',
    message: 'The request took too long to arrive.',
  },
};

const malformed: Refusal = {
  status: '400 Bad Request',
  code: 'invalid_request',
  message: 'This is not a well-formed HTTP request.',
};

const unknownMethod: Refusal = {
  status: '405 Method Not Allowed',
  code: 'method_not_allowed',
  message: 'This method does not exist here.',
  headers: [`Allow: ${allMethods}`],
};

/** Returns whether an unknown method is the only error that the parser found in a request. */
const hasUnknownMethod = ({ code, rawPacket }: ClientError) =>
  code === 'HPE_INVALID_METHOD' &&
  /^[A-Z-]{1,30} \/\S* HTTP\/1\.[01]\r?\n/.test(Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '');

/** Responds to input that is not a valid HTTP request with an error in the usual form, and closes the connection. */
function refuseInvalidHttp(error: ClientError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const refusal = hasUnknownMethod(error) ? unknownMethod : (refusals[error.code ?? ''] ?? malformed);
  const { status, code, message, headers = [] } = refusal;
  const requestId = `req_${randomBytes(12).toString('base64url')}`;
  const body = JSON.stringify({ error: { code, message, request_id: requestId } } satisfies ErrorBody);
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
    ...headers,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

export type HttpServerOptions<Context> = {
  routes: readonly RouteDefinition<Context>[];
  context: Context;
  database: Database;
  /** Database replicas, for routes that read from them. */
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
  /** The OpenAPI document to serve, along with a page for people. */
  document: { info: { title: string } };
  /** One for the whole process; a new one by default. */
  metrics?: Metrics;
  /** Resolves when requests can be served. If it rejects, the error is logged and `/readyz` returns 503. */
  readiness(): Promise<void>;
  config: {
    version: string;
    /** The public URL of the service, without a path. */
    baseUrl: string;
    /** Names of the service besides the host of the base URL. */
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
    /** The replication mark of the caller that other nodes shared, for reading from a replica. */
    looked: Promise<SharedMark> | null;
  }
  interface FastifyContextConfig {
    definition?: RouteDefinition<never>;
    /** Whether the route needs no authentication and has no rate limit. */
    open?: boolean;
  }
}

const safeId = /^[A-Za-z0-9._:-]{1,64}$/;

/**
 * Returns the client's own request id if it is safe, so that its logs and ours can be matched; otherwise a new one.
 */
function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && safeId.test(header) ? header : `req_${randomUUID()}`;
}

/** Replaces a path that can't be decoded by one that doesn't exist, to keep the order of checks. */
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
 * Creates the HTTP server of an application, with its routes below /api/v1 and the probes. It does not listen yet, so
 * that routes outside the prefix can be added. Throws when a route is declared wrongly, above all without a
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
    // Node.js itself would refuse a request without Host, but without a body.
    http: { headersTimeout: 10_000, maxHeaderSize: 16_384, requireHostHeader: false },
    rewriteUrl: (request) => decodable(request.url ?? '/'),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 20_000, querystringParser: () => ({}) },
  }) as unknown as FastifyInstance;
  app.decorateRequest('actor', null);
  app.decorateRequest('looked', null);
  // The framework adds a charset, which JSON doesn't have (RFC 8259) and clients that compare the content type don't
  // expect.
  app.addHook('onSend', async (_request, reply) => {
    if (reply.getHeader('content-type') === 'application/json; charset=utf-8') reply.type('application/json');
  });
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
  finishBodies(app);
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
    // The mark is looked up together with the rate limit, so it adds no time to the request.
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

/**
 * Sets the headers of a deprecated operation: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a link to its
 * replacement.
 */
function deprecationHeaders(deprecation: Deprecation): Record<string, string> {
  const since = new Date(`${deprecation.since}T00:00:00Z`);
  const headers: Record<string, string> = { Deprecation: `@${since.getTime() / 1000}` };
  if (deprecation.sunset) headers.Sunset = new Date(`${deprecation.sunset}T00:00:00Z`).toUTCString();
  if (deprecation.link) headers.Link = `<${deprecation.link}>; rel="deprecation"; type="text/html"`;
  return headers;
}

function writeDeprecation(reply: FastifyReply, deprecation: Deprecation | undefined): void {
  if (deprecation) reply.headers(deprecationHeaders(deprecation));
}
