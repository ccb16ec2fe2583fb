import { invalidArgument } from './errors.ts';

/** A file to upload. A string is its content, not its path; `openAsBlob` of `node:fs` turns a file into a Blob. */
export type UploadSource =
  | Blob
  | ArrayBuffer
  | Uint8Array
  | string
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

export type UploadProgress = {
  sentBytes: number /** null when it is not known, as of a stream. */;
  totalBytes: number | null;
};

/** A body to send. `open` starts it: for each attempt if it is replayable, otherwise once. */
export type Upload = {
  replayable: boolean;
  open(moved: () => void): Promise<{ body: BodyInit; streams: boolean }>;
};

const isBrowser = () => 'document' in globalThis || 'WorkerGlobalScope' in globalThis;

const asBlob = (source: UploadSource): Blob | null => {
  if (source instanceof Blob) return source;
  if (typeof source === 'string' || source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return new Blob([source as BlobPart]);
  }
  return null;
};

const isStream = (source: unknown): source is ReadableStream<Uint8Array> => source instanceof ReadableStream;

async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** A stream that reads its source only on demand and calls `passed` with each chunk. */
function toStream(chunks: AsyncIterable<Uint8Array>, passed: (bytes: number) => void): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) return controller.close();
        passed(value.byteLength);
        controller.enqueue(value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Turns an uploadable file into a body. Browsers can't stream a request, so they send the file whole. */
export function createUpload(source: UploadSource, onProgress?: (progress: UploadProgress) => void): Upload {
  const blob = asBlob(source);
  if (!blob && !(source as AsyncIterable<Uint8Array>)?.[Symbol.asyncIterator] && !isStream(source)) {
    throw invalidArgument('The file must be a Blob, bytes, a text or a stream of bytes.');
  }
  const totalBytes = blob?.size ?? null;
  return {
    replayable: blob !== null,
    async open(moved) {
      let sentBytes = 0;
      const chunks = blob || isStream(source) ? readStream(blob ? blob.stream() : (source as ReadableStream)) : source;
      const stream = toStream(chunks as AsyncIterable<Uint8Array>, (bytes) => {
        sentBytes += bytes;
        moved();
        onProgress?.({ sentBytes, totalBytes });
      });
      if (!isBrowser()) return { body: stream, streams: true };
      return { body: blob ?? (await new Response(stream).blob()), streams: false };
    },
  };
}
