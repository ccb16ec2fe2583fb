import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { ApiError } from '../../errors.ts';

/** The minimum speed of a body: `minBytes` in every `windowMs` in which its reader waits for data. */
export type UploadPace = { windowMs: number; minBytes: number };

/** One kilobyte a second: the slowest modem manages that; a connection that is only kept open does not. */
export const defaultUploadPace: UploadPace = { windowMs: 30_000, minBytes: 30 * 1024 };

const ticksPerWindow = 10;

const tooSlow = () =>
  new ApiError('request_timeout', 'The body stopped arriving, or arrived too slowly. Send it again, without pauses.');

const cutShort = () => new ApiError('invalid_request', 'The body did not arrive completely.');

const uploads = new WeakMap<IncomingMessage, PassThrough>();

/** Calls `onSlow` when fewer than `minBytes` arrive in an interval. Time in which the reader lags does not count. */
function watchPace(raw: IncomingMessage, upload: Readable, pace: UploadPace, onSlow: () => void): () => void {
  let ticks = 0;
  let arrived = 0;
  raw.on('data', (chunk: Buffer) => {
    arrived += chunk.length;
  });
  const timer = setInterval(() => {
    if (upload.readableLength > 0) return;
    ticks += 1;
    if (ticks < ticksPerWindow) return;
    if (arrived < pace.minBytes) onSlow();
    arrived = 0;
    ticks = 0;
  }, pace.windowMs / ticksPerWindow);
  return () => clearInterval(timer);
}

/**
 * Opens the body of a request, which can be read once. It fails with 408 when it is too slow, and with 400 when the
 * client disconnects. Unlike the request itself it may be abandoned or destroyed at any point: the connection is not
 * affected, and `finishBodies` handles the rest of the body.
 */
export function openUpload(raw: IncomingMessage, pace: UploadPace): Readable {
  const upload = new PassThrough();
  const stopWatching = watchPace(raw, upload, pace, () => upload.destroy(tooSlow()));
  const onGone = () => {
    if (!raw.readableEnded) upload.destroy(cutShort());
  };
  // The reader may have left already when the body fails.
  upload.on('error', () => {});
  upload.once('close', () => {
    stopWatching();
    raw.off('close', onGone);
  });
  raw.once('close', onGone).once('error', onGone);
  raw.pipe(upload);
  uploads.set(raw, upload);
  return upload;
}

/** Makes the rest of a request's upload, if any, fail with this error. */
export const failUpload = (raw: IncomingMessage, error: ApiError): void => void uploads.get(raw)?.destroy(error);

/** Closes the upload of a request whose reader needs no more data. */
export function closeUpload(raw: IncomingMessage): void {
  const upload = uploads.get(raw);
  if (upload === undefined) return;
  raw.unpipe(upload);
  upload.destroy();
}
