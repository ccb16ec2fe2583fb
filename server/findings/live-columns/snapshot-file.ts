import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Numbers, Restored, Stored } from '../columns/arrays.ts';

const kinds = { Uint8Array, Uint16Array, Uint32Array, Float32Array, Float64Array };

/** Identifies the columns in a file and their moment. A file's title equals the title that was written. */
export type Title = Record<'orgId' | 'layout' | 'history' | 'snapshot', string>;
export type ReadColumns = Restored & { title: Title };

type Head = { title: Title; size: number; arrays: Array<{ name: string; kind: keyof typeof kinds; length: number }> };

/** The start of each file; its number changes with the format. */
const magic = 'assay columns 1\n';
const pieceBytes = 8_000_000;
const valuesOfPiece = 20_000;
/** The maximum size of a piece, so that a damaged length is not allocated. */
const maxPieceBytes = 512_000_000;
const frameBytes = 8;

/**
 * Appends a piece with its length and checksum. The piece is copied first, since its source may change during the
 * write.
 */
async function append(file: FileHandle, piece: Uint8Array): Promise<void> {
  const frame = Buffer.allocUnsafe(frameBytes + piece.byteLength);
  frame.set(piece, frameBytes);
  frame.writeUInt32LE(piece.byteLength, 0);
  frame.writeUInt32LE(crc32(frame.subarray(frameBytes)), 4);
  await file.writeFile(frame);
}

const appendJson = (file: FileHandle, value: unknown) => append(file, Buffer.from(JSON.stringify(value)));

const bytesOf = (array: Numbers) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

async function writePieces(file: FileHandle, title: Title, { size, arrays, values }: Stored): Promise<void> {
  const all = Object.entries(arrays);
  const head: Head = {
    title,
    size,
    arrays: all.map(([name, array]) => ({
      name,
      kind: array.constructor.name as keyof typeof kinds,
      length: array.length,
    })),
  };
  await file.writeFile(magic);
  await appendJson(file, head);
  for (const [, array] of all) {
    const bytes = bytesOf(array);
    for (let start = 0; start < bytes.length; start += pieceBytes)
      await append(file, bytes.subarray(start, start + pieceBytes));
  }
  for (const [name, list] of Object.entries(values()))
    for (let start = 0; start === 0 || start < list.length; start += valuesOfPiece)
      await appendJson(file, [name, list.slice(start, start + valuesOfPiece)]);
  await appendJson(file, null);
}

/** Writes columns to a new file that only this user can read, and then replaces the previous file. */
export async function writeColumns(path: string, title: Title, stored: Stored): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    const file = await open(partial, 'wx', 0o600);
    try {
      await writePieces(file, title, stored);
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

class Pieces {
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async fill(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length; ) {
      const { bytesRead } = await this.#file.read(bytes, start, bytes.length - start);
      if (bytesRead === 0) throw new Error('The file ends early.');
      start += bytesRead;
    }
  }

  /** Reads a piece into the array that `place` returns for its length. */
  async read(place: (length: number) => Uint8Array): Promise<Uint8Array> {
    const frame = Buffer.alloc(frameBytes);
    await this.fill(frame);
    const length = frame.readUInt32LE(0);
    if (length > maxPieceBytes) throw new Error('A piece is too long.');
    const piece = place(length);
    await this.fill(piece);
    if (crc32(piece) !== frame.readUInt32LE(4)) throw new Error('A checksum differs.');
    return piece;
  }

  async readJson(): Promise<unknown> {
    return JSON.parse(Buffer.from(await this.read((length) => Buffer.alloc(length))).toString());
  }
}

async function readArray(pieces: Pieces, { kind, length }: Head['arrays'][number]): Promise<Numbers> {
  const array = new kinds[kind](length);
  const bytes = bytesOf(array);
  for (let start = 0; start < bytes.length; ) {
    const room = bytes.length - start;
    const piece = await pieces.read((given) => {
      if (given > room || given === 0) throw new Error('A piece has another length.');
      return bytes.subarray(start, start + given);
    });
    start += piece.length;
  }
  return array;
}

/**
 * Reads columns that `writeColumns` wrote. Returns null if there is no file, or if `isWanted` rejects its title. Throws
 * for a damaged file and for one in another format.
 */
export async function readColumns(path: string, isWanted: (title: Title) => boolean): Promise<ReadColumns | null> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return null;
  try {
    const pieces = new Pieces(file);
    const found = Buffer.alloc(magic.length);
    await pieces.fill(found);
    if (found.toString() !== magic) throw new Error('It has another format.');
    const { title, size, arrays: heads } = (await pieces.readJson()) as Head;
    if (!isWanted(title)) return null;
    const arrays: Stored['arrays'] = {};
    for (const head of heads) arrays[head.name] = await readArray(pieces, head);
    const values: ReadColumns['values'] = {};
    for (;;) {
      const piece = (await pieces.readJson()) as [string, unknown[]] | null;
      if (piece === null) return { title, size, arrays, values };
      const [name, list] = piece;
      values[name] ??= [];
      for (const value of list) values[name].push(value);
    }
  } finally {
    await file.close();
  }
}
