import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** What nginx writes for a client that went away before it was answered. */
const clientClosedRequest = 499;

/** Counts each request and writes its line in the log. Neither has a path or a query: they may hold what is secret. */
export function observeRequests(app: FastifyInstance, metrics: Metrics, log: Log): void {
  const started = new WeakMap<FastifyRequest, number>();
  const observe = (request: FastifyRequest, status: number) => {
    // A client can go away before its response has gone out, or after: the first end counts.
    const startedAt = started.get(request);
    if (startedAt === undefined) return;
    started.delete(request);
    const elapsedMs = performance.now() - startedAt;
    const operation = request.routeOptions.config?.definition?.operationId ?? 'none';
    metrics.observeRequest(operation, request.method, status, elapsedMs / 1000);
    const { orgId, userId, credentialId } = request.actor ?? {};
    const durationMs = Math.round(elapsedMs * 10) / 10;
    log.info(
      { requestId: request.id, operation, method: request.method, status, durationMs, orgId, userId, credentialId },
      'request',
    );
  };
  app.addHook('onRequest', async (request) => {
    started.set(request, performance.now());
  });
  app.addHook('onResponse', async (request, reply) => observe(request, reply.statusCode));
  app.addHook('onRequestAbort', async (request) => observe(request, clientClosedRequest));
}
