import type { FastifyReply } from 'fastify';

/** Returns a signal that aborts when the client disconnects before it has the response. */
export function whileConnected({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
