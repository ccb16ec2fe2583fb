import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';
import { failUpload } from './body/upload.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the server is about to close. */
    isDraining(): boolean;
    /**
     * Asks clients to close their connections before the server closes. Resolves when all have, or after `withinMs`.
     */
    drain(withinMs: number): Promise<void>;
  }
}

const lookAgainMs = 50;

/**
 * The time for requests that are in progress when the server closes: for uploads, which are then refused, and for all
 * requests.
 */
export type ClosingTimes = { uploadsMs: number; allMs: number };

const defaultClosingTimes: ClosingTimes = { uploadsMs: 4_000, allMs: 8_000 };

const isClosing = () =>
  new ApiError('unavailable', 'This server is stopping, and nothing of the body was kept. Send it again.', {
    headers: { 'Retry-After': '5' },
  });

/**
 * Adds draining. A server that closes while clients keep connections open would reset requests that are just being
 * sent. So it drains first: requests are still served, `/readyz` returns 503, and each response announces that its
 * connection will be closed. On closing, slow uploads are refused with 503, and finally every connection is closed: a
 * slow client must not keep the process from stopping.
 */
export function addDrain(app: FastifyInstance, { uploadsMs, allMs } = defaultClosingTimes): void {
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
  const underWay = new Set<IncomingMessage>();
  app.addHook('onRequest', async ({ raw }, reply) => {
    underWay.add(raw);
    reply.raw.once('close', () => underWay.delete(raw));
  });
  const timers: NodeJS.Timeout[] = [];
  app.addHook('preClose', async () => {
    draining = true;
    const refuse = () => {
      for (const raw of underWay) failUpload(raw, isClosing());
    };
    timers.push(
      setTimeout(refuse, uploadsMs),
      setTimeout(() => app.server.closeAllConnections(), allMs),
    );
  });
  app.addHook('onClose', async () => timers.forEach(clearTimeout));
  app.addHook('onSend', async (_request, reply) => {
    if (draining) reply.header('Connection', 'close');
  });
}
