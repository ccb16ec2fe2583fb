import { type FileHandle, open } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

const maxEntries = 2_000_000;
const maxEntryBytes = 32 * 1024 * 1024;
const maxBytes = 32 * 1024 ** 3;

/** A file of an archive; `text` is null if the file is larger than any advisory. */
export type ArchiveEntry = { name: string; text: string | null };

/**
 * Yields the JSON files of a zip archive on disk. A file whose size differs from its entry, or an archive that claims
 * to be larger than any real one, causes an error.
 */
export async function* readArchive(file: string, signal?: AbortSignal): AsyncGenerator<ArchiveEntry> {
  const archive = await openPromise(file, { lazyEntries: true, autoClose: false });
  const handle = await open(file).catch((error) => {
    archive.close();
    throw error;
  });
  try {
    if (archive.entryCount > maxEntries) throw new Error(`It has more than ${maxEntries} files.`);
    let bytes = 0;
    for await (const entry of archive.eachEntry()) {
      signal?.throwIfAborted();
      if (!entry.fileName.endsWith('.json')) continue;
      bytes += entry.uncompressedSize;
      if (bytes > maxBytes) throw new Error(`It unpacks to more than ${maxBytes / 1024 ** 3} GiB.`);
      const isTooLarge = Math.max(entry.uncompressedSize, entry.compressedSize) > maxEntryBytes;
      yield { name: entry.fileName, text: isTooLarge ? null : await readEntry(archive, handle, entry) };
    }
  } finally {
    archive.close();
    await handle.close();
  }
}

/** Advisories are small: one read per file costs less than a stream. */
async function readEntry(archive: ZipFile, handle: FileHandle, entry: Entry): Promise<string> {
  if (!entry.canDecodeFileData()) throw new Error(`${entry.fileName} is packed in a way that can't be read.`);
  const { fileDataStart } = await archive.readLocalFileHeaderPromise(entry, { minimal: true });
  const packed = Buffer.allocUnsafe(entry.compressedSize);
  const { bytesRead } = await handle.read(packed, 0, packed.length, fileDataStart);
  if (bytesRead < packed.length) throw new Error('It ends in the middle of a file.');
  const isStored = entry.compressionMethod === 0;
  const content = isStored ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.uncompressedSize) });
  if (content.length !== entry.uncompressedSize || crc32(content) !== entry.crc32) {
    throw new Error(`${entry.fileName} is damaged.`);
  }
  return content.toString('utf8');
}
