import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { makeTemporaryDirectory, type TemporaryDirectory } from '@assay/scanner/platform/temporary-directory.ts';

const compress = promisify(deflateRaw);
const segmentLength = 64 * 1024;
/** The maximum length of all texts in memory, in UTF-16 code units. */
const maxBufferedLength = 8 * 1024 * 1024;

type Segment = { at: number; length: number };

/** A list of texts in a spool. */
export class SpooledList {
  buffered: string[] = [];
  bufferedLength = 0;
  segments: Segment[] = [];
  /** Bytes in the file: about the size of the texts in a gzip file. */
  compressedBytes = 0;
}

/**
 * Stores the texts of many interleaved lists in one temporary file: any number of lists of any length needs about 20 MB
 * of memory.
 */
export class Spool implements AsyncDisposable {
  #lists = new Set<SpooledList>();
  #bufferedLength = 0;
  #end = 0;
  #place: { directory: TemporaryDirectory; file: FileHandle } | undefined;

  async append(list: SpooledList, text: string): Promise<void> {
    this.#lists.add(list);
    list.buffered.push(text);
    list.bufferedLength += text.length;
    this.#bufferedLength += text.length;
    if (list.bufferedLength >= segmentLength) await this.#write(list);
    else if (this.#bufferedLength >= maxBufferedLength) for (const other of this.#lists) await this.#write(other);
  }

  /** Yields the texts of a list in pieces. */
  async *read(list: SpooledList): AsyncGenerator<string> {
    for (const { at, length } of list.segments) {
      const { buffer } = await this.#place!.file.read(Buffer.allocUnsafe(length), 0, length, at);
      yield inflateRawSync(buffer).toString();
    }
    yield* list.buffered;
  }

  async #write(list: SpooledList): Promise<void> {
    this.#lists.delete(list);
    if (list.bufferedLength === 0) return;
    const bytes = await compress(list.buffered.join(''), { level: 3 });
    this.#bufferedLength -= list.bufferedLength;
    list.buffered = [];
    list.bufferedLength = 0;
    this.#place ??= await openPlace();
    await this.#place.file.write(bytes, 0, bytes.length, this.#end);
    list.segments.push({ at: this.#end, length: bytes.length });
    list.compressedBytes += bytes.length;
    this.#end += bytes.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#place?.file.close();
    await this.#place?.directory.remove();
  }
}

async function openPlace() {
  const directory = await makeTemporaryDirectory();
  return { directory, file: await open(join(directory.path, 'spool'), 'w+') };
}
