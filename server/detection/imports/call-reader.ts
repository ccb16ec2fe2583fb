import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { traceContext } from '@assay/scanner/platform/tracing.ts';
import { ApiError } from '../../platform/errors.ts';
import { HelperGone, type HelperProcess } from '../../platform/helper-process.ts';
import type { ImportOrder, ImportReader } from './import-reader.ts';
import { createReadingSlots } from './reading-slots.ts';
import { orderHeader, type PassedError, restored } from './serve-reader.ts';

const interrupted = (cause: unknown) =>
  new ApiError('unavailable', 'Reading the file was interrupted, and nothing was kept. Send it again.', {
    headers: { 'Retry-After': '1' },
    cause,
  });

/**
 * Sends a body and resolves with the response, which may come before the whole body was sent. The body is sent only
 * after the other side has requested it: nothing is lost before that.
 */
function send(outgoing: ClientRequest, body: Readable): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let begun = false;
    const failed = (error?: Error) =>
      reject(begun ? interrupted(error) : new HelperGone('The process does not respond.', { cause: error }));
    outgoing.once('continue', () => {
      begun = true;
      body.pipe(outgoing);
    });
    outgoing.once('response', resolve);
    outgoing.once('error', failed);
    outgoing.once('close', () => failed());
    // Errors in the body are reported to the sender.
    body.once('error', reject);
    if (body.errored) reject(body.errored);
    else outgoing.flushHeaders();
  });
}

async function callReader<T>(connection: Socket, order: ImportOrder, body: Readable): Promise<T> {
  const outgoing = request({
    createConnection: () => connection,
    method: 'POST',
    headers: {
      [orderHeader]: encodeURIComponent(JSON.stringify(order)),
      ...traceContext(),
      Connection: 'keep-alive',
      Expect: '100-continue',
    },
  });
  try {
    const response = await send(outgoing, body);
    const result = await json(response).catch((error: unknown) => Promise.reject(interrupted(error)));
    if (response.statusCode !== 200) throw restored(result as PassedError);
    return result as T;
  } finally {
    body.unpipe(outgoing);
    outgoing.on('error', () => {}).destroy();
  }
}

/**
 * Returns a reader whose work is done by a helper process, a limited number of uploads at a time: see serveReader.
 */
export function createRemoteReader(helper: HelperProcess, slots = createReadingSlots()): ImportReader {
  const call = <T>(order: ImportOrder, body: Readable) =>
    slots.use(order.orgId, body, () => helper.use((connection) => callReader<T>(connection, order, body)));
  return {
    receive: (order, body) => call({ reads: 'import', ...order }, body),
    preview: (order, body) => call({ reads: 'preview', ...order }, body),
  };
}
