import { Zip, ZipDeflate } from 'fflate';

/** The earliest time that a zip file can store. With the current time, the same report would have different bytes. */
const timeOfFiles = new Date(1980, 0, 1);

/** A file of the package; its content may come in pieces. */
export type PackageFile = { path: string; content: AsyncIterable<string | Uint8Array> | string | Uint8Array };

/** Zips files one after the other, streaming their pieces. */
export async function* zipped(files: Iterable<PackageFile> | AsyncIterable<PackageFile>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, data) => {
    if (error) throw error;
    if (data.length > 0) ready.push(data);
  });
  for await (const { path, content } of files) {
    const entry = new ZipDeflate(path, { level: 6 });
    entry.mtime = timeOfFiles;
    zip.add(entry);
    for await (const piece of typeof content === 'string' || content instanceof Uint8Array ? [content] : content) {
      entry.push(typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece);
      yield* ready.splice(0);
    }
    entry.push(new Uint8Array(0), true);
    yield* ready.splice(0);
  }
  zip.end();
  yield* ready;
}
