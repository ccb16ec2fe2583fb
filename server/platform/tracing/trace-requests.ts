import { isTracing, openSpan, type Span, type TraceContext } from '@assay/scanner/platform/tracing.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of this request; null unless requests are traced, and after it has ended. */
    span: Span | null;
  }
}

/** The W3C headers of a request. */
function contextOf({ headers }: FastifyRequest): TraceContext {
  const { traceparent, tracestate } = headers;
  return {
    ...(typeof traceparent === 'string' && { traceparent }),
    ...(typeof tracestate === 'string' && { tracestate }),
  };
}

/** Only server errors are failures: a client's mistake is not ours. */
const isFailure = (status: number) => status >= 500;

/**
 * Opens a span for each request while this process is traced. The span continues the caller's trace. It names the
 * route with its placeholders: paths and queries contain ids, search terms and secrets.
 */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('span', null);
  if (!isTracing()) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions } = request;
    const { url: route = '', config } = routeOptions;
    request.span = openSpan({
      name: route ? `${method} ${route}` : method,
      kind: 'server',
      parent: contextOf(request),
      attributes: {
        'http.request.method': method,
        ...(route && { 'http.route': route }),
        ...(config?.definition && { 'assay.operation': config.definition.operationId }),
        'assay.request_id': request.id,
      },
    });
    if (request.span) request.span.within(done);
    else done();
  });
  // The body arrives outside the async context of the first hook.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.span) request.span.within(done);
    else done();
  });
  const end = (request: FastifyRequest, status: number | null) => {
    const { span } = request;
    if (span === null) return;
    // A client can close the connection before or after its response was sent: the first event counts.
    request.span = null;
    if (status !== null) span.set({ 'http.response.status_code': status });
    const failed = status === null || isFailure(status);
    span.end(failed ? { code: status === null ? 'aborted' : String(status) } : undefined);
  };
  app.addHook('onResponse', async (request, reply) => end(request, reply.statusCode));
  app.addHook('onRequestAbort', async (request) => end(request, null));
}
