import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { slowRequest } from '../monitoring/outage.ts';
import type { RouteDefinition } from './route.ts';

/** The status that nginx logs for a client that closed the connection before the response. */
const clientClosedRequest = 499;

/** Uploads take as long as their senders do, and streams of events end with their readers. */
const takesTime = ({ rawBody, responses }: RouteDefinition<never>) =>
  Boolean(rawBody) || 'text/event-stream' in (responses[200]?.content ?? {});

/**
 * Counts and logs each request, without path and query, which may contain secrets. One whose response begins later than
 * `slowMs` after it (0: none) has a second line, at level `warn`.
 */
export function observeRequests(app: FastifyInstance, metrics: Metrics, log: Log, slowMs = 0): void {
  // Redaction looks for secret fields at every depth, which takes 60 µs a line; these lines have only the fields below.
  const requestLog = log.child({}, { redact: [] });
  const started = new WeakMap<FastifyRequest, number>();
  const responded = new WeakMap<FastifyRequest, number>();
  const observe = (request: FastifyRequest, status: number) => {
    // A client can close the connection before or after its response was sent: the first event counts.
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
