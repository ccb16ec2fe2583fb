import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the server is about to close. */
    isDraining(): boolean;
    /** Makes clients leave before the server closes; resolves when all have, or after `withinMs`. */
    drain(withinMs: number): Promise<void>;
  }
}

const lookAgainMs = 50;

/**
 * A server that closes while clients keep connections open resets the request that one of them is just sending. Draining
 * comes first: requests are served as before, `/readyz` is 503, and each response says that its connection ends with it.
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
