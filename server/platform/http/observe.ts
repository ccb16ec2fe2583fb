import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** The status that nginx logs for a client that closed the connection before the response. */
const clientClosedRequest = 499;

/** Counts and logs each request, without path and query, which may contain secrets. */
export function observeRequests(app: FastifyInstance, metrics: Metrics, log: Log): void {
  // Redaction looks for secret fields at every depth, which takes 60 µs a line; these lines have only the fields below.
  const requestLog = log.child({}, { redact: [] });
  const started = new WeakMap<FastifyRequest, number>();
  const observe = (request: FastifyRequest, status: number) => {
    // A client can close the connection before or after its response was sent: the first event counts.
    const startedAt = started.get(request);
    if (startedAt === undefined) return;
    started.delete(request);
    const elapsedMs = performance.now() - startedAt;
    const operation = request.routeOptions.config?.definition?.operationId ?? 'none';
    metrics.observeRequest(operation, request.method, status, elapsedMs / 1000);
    const { orgId, userId, credentialId } = request.actor ?? {};
    const durationMs = Math.round(elapsedMs * 10) / 10;
    const line = { requestId: request.id, operation, method: request.method, status, durationMs };
    const traceId = request.span?.traceId;
    requestLog.info({ ...line, orgId, userId, credentialId, ...(traceId && { traceId }) }, 'request');
  };
  app.addHook('onRequest', async (request) => {
    started.set(request, performance.now());
  });
  app.addHook('onResponse', async (request, reply) => observe(request, reply.statusCode));
  app.addHook('onRequestAbort', async (request) => observe(request, clientClosedRequest));
}
