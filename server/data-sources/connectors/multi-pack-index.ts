import { type FileHandle, open } from 'node:fs/promises';

const headerBytes = 12;
const entryBytes = 12;
const maxNameBytes = 16 * 1024 * 1024;

/** The files with names of packs, by their path in a repository: a single one, and the layers of an incremental one. */
export const isMultiPackIndex = (name: string): boolean =>
  name === 'objects/pack/multi-pack-index' || /^objects\/pack\/multi-pack-index\.d\/.*\.midx$/.test(name);

/**
 * Returns whether a multi-pack index refers only to packs in its own directory: git appends the names to the directory
 * unchanged, so `../` would lead out. Also false for a file that git would not read.
 */
export async function namesOnlyOwnPacks(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const header = await readAt(file, 0, headerBytes);
    if (header?.toString('latin1', 0, 4) !== 'MIDX') return false;
    const chunks = header[6]!;
    // One more entry marks the end of the last chunk.
    const table = await readAt(file, headerBytes, (chunks + 1) * entryBytes);
    if (!table) return false;
    let found = false;
    for (let at = 0; at < chunks * entryBytes; at += entryBytes) {
      if (table.toString('latin1', at, at + 4) !== 'PNAM') continue;
      const start = Number(table.readBigUInt64BE(at + 4));
      const length = Number(table.readBigUInt64BE(at + entryBytes + 4)) - start;
      const names = length >= 0 && length <= maxNameBytes ? await readAt(file, start, length) : null;
      if (!names || names.includes('/')) return false;
      found = true;
    }
    return found;
  } finally {
    await file.close();
  }
}

/** Returns this many bytes, or null if the file is too short. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer | null> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  return bytesRead === length ? buffer : null;
}
