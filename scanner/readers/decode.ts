import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorCode } from '../platform/error-code.ts';
import { type Encoding, encodingOf } from '../platform/text-encoding.ts';
import type { Chunks } from './format.ts';
import { FormatError } from './format-error.ts';

/** Compressed results shrink 10 to 60 times; a bomb 1,000 times. Small files may expand freely up to `freeBytes`. */
const maxExpansion = 200;
const freeBytes = 64 * 1024 * 1024;

/** Decodes a received file (gzip or not, UTF-8 or UTF-16, with or without byte order mark) to plain UTF-8. */
export async function* decodeFile(source: AsyncIterable<Uint8Array>): Chunks {
  const [start, rest] = await peek(toBuffers(source), 2);
  const plain = start[0] === 0x1f && start[1] === 0x8b ? gunzip(rest) : rest;
  const [head, chunks] = await peek(plain, 4);
  const { encoding, markBytes } = encodingOf(head);
  const body = withoutFirst(chunks, markBytes);
  yield* encoding === 'utf-8' ? body : transcode(body, encoding);
}

async function* toBuffers(source: AsyncIterable<Uint8Array>): Chunks {
  for await (const chunk of source) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** Returns the first bytes (fewer at the end of the file), and a stream that still contains them. */
export async function peek(source: Chunks, bytes: number): Promise<[Buffer, Chunks]> {
  const iterator = source[Symbol.asyncIterator]();
  const pieces: Buffer[] = [];
  let length = 0;
  while (length < bytes) {
    const next = await iterator.next();
    if (next.done) break;
    pieces.push(next.value);
    length += next.value.length;
  }
  const start = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  return [start.subarray(0, bytes), resume(start, iterator)];
}

async function* resume(start: Buffer, iterator: AsyncIterator<Buffer>): Chunks {
  try {
    if (start.length > 0) yield start;
    for (;;) {
      const next = await iterator.next();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

async function* gunzip(source: Chunks): Chunks {
  let compressed = 0;
  const counted = async function* () {
    for await (const chunk of source) {
      compressed += chunk.length;
      yield chunk;
    }
  };
  const unzip = createGunzip({ chunkSize: 65_536 });
  // The iteration below passes the error to the reader.
  pipeline(Readable.from(counted()), unzip, () => {});
  let expanded = 0;
  try {
    for await (const chunk of unzip) {
      expanded += chunk.length;
      if (expanded > freeBytes && expanded > compressed * maxExpansion) {
        throw new FormatError(`The gzip data expands more than ${maxExpansion} times; send it with less compression.`);
      }
      yield chunk;
    }
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (code.startsWith('Z_'))
      throw new FormatError('The gzip data is damaged or cut short; compress and send it again.');
    throw error;
  }
}

async function* withoutFirst(source: Chunks, bytes: number): Chunks {
  let skip = bytes;
  for await (const chunk of source) {
    if (chunk.length > skip) yield skip === 0 ? chunk : chunk.subarray(skip);
    skip = Math.max(0, skip - chunk.length);
  }
}

async function* transcode(source: Chunks, encoding: Encoding): Chunks {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of source) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}
