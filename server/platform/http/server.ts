import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../errors.ts';
import type { Log } from '../log.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import type { Database } from '../postgres/database.ts';
import type { RateLimiter } from '../rate-limit/rate-limit.ts';
import type { Actor } from './actor.ts';
import { type AdmissionOptions, admit, requirePermission } from './admission.ts';
import { answerClientError } from './client-error.ts';
import { writeDeprecation } from './deprecation.ts';
import { addDocs } from './docs.ts';
import { addDrain } from './drain.ts';
import { EventStreams, type RightsNews } from './event-streams.ts';
import { FailedAuthentications } from './failed-authentications.ts';
import { errorBody, toApiError } from './failure.ts';
import { answerRequest, compileRoute } from './handle.ts';
import { acceptJson, defaultBodyLimit } from './json-body.ts';
import { observeRequests } from './observe.ts';
import { addProbes } from './probes.ts';
import type { RouteDefinition } from './route.ts';
import { allowOrigins, compressAnswers, protectBrowsers } from './security.ts';
import { settleBodies } from './settle-body.ts';
import { createUnknownPath } from './unknown-path.ts';
import type { UploadPace } from './upload.ts';

export type HttpServerOptions<Context> = {
  routes: readonly RouteDefinition<Context>[];
  context: Context;
  database: Database;
  authenticate: AdmissionOptions['authenticate'];
  authorize: AdmissionOptions['authorize'];
  /** When to look again at the rights of those who follow events; every second when not given. */
  rightsNews?: RightsNews;
  rateLimiter: RateLimiter;
  /** Shared with everything else that takes credentials; one of its own when not given. */
  failedAuthentications?: FailedAuthentications;
  log: Log;
  /** The OpenAPI document to serve, with a page for people. */
  document: { info: { title: string } };
  /** One for the whole process; a new one when not given. */
  metrics?: Metrics;
  /** Resolves when requests can be served; what it throws is logged and makes `/readyz` 503. */
  readiness(): Promise<void>;
  config: {
    version: string;
    /** Where the service is reached from outside, without a path. */
    baseUrl: string;
    corsOrigins?: string[];
    /** Addresses or networks of proxies whose X-Forwarded-For is believed. */
    trustedProxies?: string[];
    /** Who presents it may read /metrics; without one, only this machine may. */
    metricsToken?: string | null;
    /** Within what time a JSON body has to arrive. */
    bodyTimeoutMs?: number;
    /** How fast streamed bodies have to arrive. */
    uploadPace?: UploadPace;
    /** Answers 500 for an answer that does not fit its schema: for tests. */
    checkResponses?: boolean;
  };
};

const apiPrefix = '/api/v1';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null;
  }
  interface FastifyContextConfig {
    definition?: RouteDefinition<never>;
    /** Needs no authentication and counts against no limit. */
    open?: boolean;
  }
}

const safeId = /^[A-Za-z0-9._:-]{1,64}$/;

/** The client's own request id where it is harmless, so that its logs and ours meet; a new one otherwise. */
function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && safeId.test(header) ? header : `req_${randomUUID()}`;
}

/** A path that can't be decoded is nobody's: it is routed to where nothing is, so that the order of checks stays. */
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
 * The HTTP server of an application: its routes below /api/v1 and the probes beside. Not listening yet, so that more can be
 * registered on it (outside the prefix). Throws when a route is declared wrongly, above all without a permission.
 */
export async function createHttpServer<Context>(options: HttpServerOptions<Context>): Promise<FastifyInstance> {
  const metrics = options.metrics ?? createMetrics();
  const app = Fastify({
    logger: false,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    clientErrorHandler: answerClientError,
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
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id);
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw invalid('header', 'Host', 'is required');
  });
  await protectBrowsers(app, options.config.baseUrl);
  await compressAnswers(app);
  const failedAuthentications = options.failedAuthentications ?? new FailedAuthentications();
  addDrain(app);
  addProbes(app, { ...options, failedAuthentications, metrics, metricsToken: options.config.metricsToken ?? null });
  observeRequests(app, metrics, options.log);
  settleBodies(app);
  app.setErrorHandler((error, request, reply) => {
    const failure = toApiError(error);
    if (failure.status >= 500) {
      // Away is a state of things, and no mistake of ours.
      const level = failure.code === 'unavailable' ? 'warn' : 'error';
      options.log[level]({ err: failure.cause ?? error, requestId: request.id }, failure.message);
    }
    // What the handler had set already was of the answer that does not come.
    for (const name of ['etag', 'location', 'content-disposition', 'content-length']) reply.removeHeader(name);
    // The framework would close the connection of every body that was not read; `settleBodies` knows better.
    reply.removeHeader('connection');
    if (failure.status === 401) reply.header('WWW-Authenticate', 'Bearer');
    reply.code(failure.status).headers(failure.headers).type('application/json; charset=utf-8');
    return reply.send(JSON.stringify(errorBody(failure, request.id)));
  });
  app.setNotFoundHandler(() => {
    throw new ApiError('not_found', 'There is nothing at this path.');
  });
  await app.register((api) => registerApi(api, options, failedAuthentications), { prefix: apiPrefix });
  return app;
}

async function registerApi<Context>(
  api: FastifyInstance,
  options: HttpServerOptions<Context>,
  failedAuthentications: FailedAuthentications,
): Promise<void> {
  await allowOrigins(api, options.config.corsOrigins ?? []);
  const unknownPath = createUnknownPath(options.routes);
  const admission: AdmissionOptions = {
    authenticate: options.authenticate,
    authorize: options.authorize,
    rateLimiter: options.rateLimiter,
    failedAuthentications,
  };
  api.addHook('onRequest', async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    const { definition, open } = request.routeOptions.config;
    writeDeprecation(reply, definition?.deprecated);
    if (open || definition?.permission === 'public') return;
    request.actor = await admit(request, reply, admission);
    const path = pathBelowPrefix(request);
    if (!definition || unknownPath.isTaken(definition, path)) throw unknownPath.refuse(request.method, path);
    requirePermission(request.actor, definition.permission, options.authorize);
  });
  acceptJson(api, options.config.bodyTimeoutMs);
  addDocs(api, apiPrefix, options.document);
  const unreachable = async () => {
    throw new ApiError('not_found', 'There is nothing at this path.');
  };
  api.all('/*', { exposeHeadRoute: false }, unreachable);
  api.setNotFoundHandler(unreachable);
  const streams = new EventStreams(options.authenticate, options.rightsNews ?? noNews);
  api.addHook('preClose', async () => streams.close());
  for (const definition of options.routes) addRoute(api, definition, options, streams);
}

const pathBelowPrefix = (request: FastifyRequest) =>
  request.url.slice(apiPrefix.length).split('?', 1)[0]!.replace(/^$/, '/');

const noNews: RightsNews = { onChange: () => () => {}, isListening: () => false };

const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+[ \t]*(;|$)/;

const knownPermission = ({ permission }: { permission?: unknown }) =>
  permission === 'public' ||
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
        const answer = () => answerRequest(route, { request, reply, actor: request.actor }, options);
        const payload = await (isEvents ? streams.open({ actor: request.actor!, request, reply }, answer) : answer());
        return reply.sent ? reply : reply.send(payload);
      },
    });
  if (!definition.rawBody) return void add(api);
  api.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.addHook('onRequest', async ({ headers }) => {
      // The framework would refuse what is no media type, and here any is taken.
      const type = headers['content-type'];
      if (type !== undefined && !mediaType.test(type)) headers['content-type'] = 'application/octet-stream';
    });
    add(scope);
  });
}
