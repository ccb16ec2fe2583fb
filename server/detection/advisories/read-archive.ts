import { openPromise } from 'yauzl';

const mostEntries = 2_000_000;
const mostEntryBytes = 32 * 1024 * 1024;
const mostBytes = 32 * 1024 ** 3;

/** A file of an archive; `text` is null for one that is larger than any advisory. */
export type ArchiveEntry = { name: string; text: string | null };

/**
 * The JSON files of a zip archive on disk, one after the other. A file that unpacks to more than its entry promises,
 * and an archive that promises more than any has, ends it with an error.
 */
export async function* readArchive(file: string, signal?: AbortSignal): AsyncGenerator<ArchiveEntry> {
  const archive = await openPromise(file, { lazyEntries: true, autoClose: false });
  try {
    if (archive.entryCount > mostEntries) throw new Error(`It has more than ${mostEntries} files.`);
    let bytes = 0;
    for await (const entry of archive.eachEntry()) {
      signal?.throwIfAborted();
      const name = entry.fileName;
      if (!name.endsWith('.json')) continue;
      bytes += entry.uncompressedSize;
      if (bytes > mostBytes) throw new Error(`It unpacks to more than ${mostBytes / 1024 ** 3} GiB.`);
      if (entry.uncompressedSize > mostEntryBytes) {
        yield { name, text: null };
        continue;
      }
      const chunks: Buffer[] = [];
      for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
      yield { name, text: Buffer.concat(chunks).toString('utf8') };
    }
  } finally {
    archive.close();
  }
}
