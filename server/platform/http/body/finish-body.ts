import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { closeUpload } from './upload.ts';

/**
 * Bytes of a refused body that are read and dropped so that its connection can be used again. Beyond that, a new
 * connection is cheaper.
 */
const maxDrainedBytes = 1024 * 1024;
const maxDrainMs = 250;
/** The time for which a connection is read after its last response, so that the client receives that response. */
const maxLingerMs = 5_000;

/** Reads the rest of a body, within limits. Returns whether the end was reached. */
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
 * Makes the socket linger when it is closed: the response and our FIN are sent, and data that still arrives is
 * dropped. Closing it at once, with unread bytes, would reset it, and a client that is still sending would lose the
 * response.
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
 * Keeps connections usable when a body was not read completely. A short rest of the body is dropped before the
 * response is sent. If the rest is long or slow, the connection is closed after the response.
 */
export function finishBodies(app: FastifyInstance): void {
  const left = new WeakSet<Socket>();
  app.addHook('onRequest', async ({ raw }, reply) => {
    // Requests that follow the last response on a connection must not be executed.
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
