import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { asPartOf, type CostKind, RequestCost, resume } from './request-cost.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The cost of this request so far; absent where requests are not charged. */
    cost?: RequestCost;
  }
}

/** Says that code of this request runs from here on. */
export function resumeRequest({ cost }: FastifyRequest, kind: CostKind): void {
  if (cost) resume(cost, kind);
}

/**
 * Begins with an admitted request whose body has arrived. Throws 429 when the budget has been used up meanwhile, for
 * example by other requests that arrived together with it.
 */
export function beginHandling({ cost }: FastifyRequest): void {
  if (!cost) return;
  cost.require();
  resume(cost, 'validation');
}

/**
 * Charges a stream's work to its request, from each read by the socket and from each piece that it makes: what
 * makes the next one runs after it.
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

/** Measures each request from its first hook to the end of its response. Refused ones (429) cost nothing. */
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
