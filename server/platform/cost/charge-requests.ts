import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { asPartOf, type CostKind, RequestCost, resume } from './request-cost.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The cost of this request so far; absent if requests are not charged. */
    cost?: RequestCost;
  }
}

/** Charges the thread's time to this request from here on. */
export function resumeRequest({ cost }: FastifyRequest, kind: CostKind): void {
  if (cost) resume(cost, kind);
}

/**
 * Starts charging for the handling of a request whose body has arrived. Throws 429 when the budget has run out
 * meanwhile, for example through other requests that arrived at the same time.
 */
export function beginHandling({ cost }: FastifyRequest): void {
  if (!cost) return;
  cost.require();
  resume(cost, 'validation');
}

/**
 * Charges a stream's work to its request. The clock starts at each read by the socket and at each chunk that the
 * stream pushes: the code that produces the next chunk runs after it.
 */
export function chargeStream<T>({ cost }: FastifyRequest, payload: T): T {
  if (!cost || !(payload instanceof Readable)) return payload;
  const { _read: read, push } = payload;
  payload._read = (size) =>
    asPartOf(cost, () => {
      resume(cost, 'handler');
      return read.call(payload, size);
    });
  payload.push = (...piece) => {
    resume(cost, 'handler');
    return push.apply(payload, piece);
  };
  return payload;
}

/** Measures each request from its first hook to the end of its response. Refused requests (429) cost nothing. */
export function chargeRequests(api: FastifyInstance, isCharged: boolean): void {
  api.decorateRequest('cost', undefined);
  if (!isCharged) return;
  api.addHook('onRequest', (request, _reply, done) => {
    request.cost = new RequestCost();
    resume(request.cost, 'admission');
    done();
  });
  api.addHook('onResponse', (request, _reply, done) => {
    request.cost?.close();
    done();
  });
  api.addHook('onRequestAbort', (request, done) => {
    request.cost?.abandon();
    done();
  });
}
