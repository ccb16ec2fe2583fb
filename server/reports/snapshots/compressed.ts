import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';

const compressWith = promisify(zstdCompress);
const decompressWith = promisify(zstdDecompress);

/**
 * Both work outside the event loop and return to it for each chunk; with the default of 16 KiB that cost more than the
 * work. A chunk is allocated in full, so it is slightly larger than its usual content: batches and pieces of about 600
 * KB.
 */
export const compress = (content: string | Uint8Array): Promise<Buffer> =>
  compressWith(content, { chunkSize: 256 * 1024 });

export const decompress = (content: Uint8Array): Promise<Buffer> => decompressWith(content, { chunkSize: 704 * 1024 });
