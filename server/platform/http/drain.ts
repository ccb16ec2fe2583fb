import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the server is about to close. */
    isDraining(): boolean;
    /** Makes clients close their connections before the server closes. Resolves when all have, or after `withinMs`. */
    drain(withinMs: number): Promise<void>;
  }
}

const lookAgainMs = 50;

/**
 * Adds draining. A server that closes while clients keep connections open would reset a request that is just being
 * sent. So it drains first: requests are still served, `/readyz` returns 503, and each response says that its
 * connection will be closed.
 */
export function addDrain(app: FastifyInstance): void {
  let draining = false;
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.decorate('isDraining', () => draining);
  app.decorate('drain', async (withinMs: number) => {
    draining = true;
    const end = performance.now() + withinMs;
    while (sockets.size > 0 && performance.now() < end) await delay(lookAgainMs);
  });
  app.addHook('preClose', async () => {
    draining = true;
  });
  app.addHook('onSend', async (_request, reply) => {
    if (draining) reply.header('Connection', 'close');
  });
}
