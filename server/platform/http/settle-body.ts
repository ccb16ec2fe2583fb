import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { closeUpload } from './upload.ts';

/** What is read and dropped of a refused body so that its connection can be used again: more is cheaper to send on a new one. */
const maxDrainedBytes = 1024 * 1024;
const maxDrainMs = 250;
/** How long a connection that is not used again is read after its last response, so that the client sees that response. */
const maxLingerMs = 5_000;

/** Reads what is left of a body, within bounds; whether that was all of it. */
function drain(raw: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    let drained = 0;
    const end = (complete: boolean) => {
      clearTimeout(timer);
      raw.off('data', onData).off('end', onEnd).off('close', onClose);
      raw.resume();
      resolve(complete);
    };
    const onData = (chunk: Buffer) => {
      drained += chunk.length;
      if (drained > maxDrainedBytes) end(false);
    };
    const onEnd = () => end(true);
    const onClose = () => end(false);
    const timer = setTimeout(end, maxDrainMs, false);
    raw.on('data', onData).on('end', onEnd).on('close', onClose);
    raw.resume();
  });
}

/**
 * Has the socket linger when it is closed: the response and the end of ours go out, and what still arrives is dropped. Closed
 * at once, with bytes unread, it would be reset, and the client that is still sending would lose the response.
 */
function linger(socket: Socket, raw: IncomingMessage): void {
  socket.destroySoon = () => {
    socket.end();
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
    };
    const timer = setTimeout(end, maxLingerMs);
    raw.once('end', end).resume();
    socket.once('close', end);
  };
}

/**
 * Keeps bodies that nobody read to their end from spoiling their connections: before a response goes out, a short rest of the
 * body is dropped, and with a long or slow one the connection is closed after the response.
 */
export function settleBodies(app: FastifyInstance): void {
  const left = new WeakSet<Socket>();
  app.addHook('onRequest', async ({ raw }, reply) => {
    // What follows on a connection whose last response was sent must not be done.
    if (left.has(raw.socket)) reply.hijack();
  });
  app.addHook('onSend', async ({ raw }, reply) => {
    const { socket } = raw;
    closeUpload(raw);
    if (raw.readableEnded || !(socket instanceof Socket)) return;
    if (raw.complete) {
      if (raw.readableLength > 0) raw.resume();
      return;
    }
    if (await drain(raw)) return;
    reply.header('Connection', 'close');
    left.add(socket);
    linger(socket, raw);
  });
}
