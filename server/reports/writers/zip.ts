import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file of an archive, in pieces. */
export type ZippedFile = { path: string; content: AsyncIterable<Uint8Array> | Iterable<Uint8Array> };

/** The same files give the same bytes: no write times, and no extended fields that depend on the time zone. */
const options = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true, compressionLevel: 6 };

/** Yields the bytes of a zip archive of these files, which are read one after the other as they are needed. */
export async function* zipped(files: AsyncIterable<ZippedFile>, level = 6): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let stream: Readable | undefined;
  const add = async () => {
    for await (const { path, content } of files) {
      stream = Readable.from(content, { objectMode: false });
      stream.on('error', (error) => output.destroy(error));
      zip.addReadStream(stream, path, { ...options, compressionLevel: level });
      await finished(stream);
    }
    zip.end();
  };
  zip.on('error', (error) => output.destroy(error));
  add().catch((error) => output.destroy(error));
  try {
    yield* output as AsyncIterable<Uint8Array>;
  } finally {
    // A reader that stops early also ends the file that is being read.
    stream?.destroy();
  }
}
