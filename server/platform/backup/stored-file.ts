import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { type StoredFile, UnusableBackup } from './manifest.ts';

function hashing() {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}

/** Compresses what `source` yields into a new file (mode 0600). The file is on disk when this resolves. */
export async function storeFile(directory: string, path: string, source: Readable): Promise<StoredFile> {
  const target = join(directory, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const { stream, result } = hashing();
  const file = await open(target, 'wx', 0o600);
  await pipeline(source, createZstdCompress(), stream, createWriteStream(target, { fd: file.fd, autoClose: false }));
  await file.sync();
  await file.close();
  return { path, ...result() };
}

/** Decompresses a stored file into `target`. */
export const loadFile = (directory: string, { path }: StoredFile, target: Writable): Promise<void> =>
  pipeline(createReadStream(join(directory, path)), createZstdDecompress(), target);

/** Throws UnusableBackup unless the file exists and matches its checksum. */
export async function checkFile(directory: string, { path, bytes, sha256 }: StoredFile): Promise<void> {
  const file = join(directory, path);
  const size = await stat(file).then(
    (status) => status.size,
    () => null,
  );
  const damaged = (how: string) =>
    new UnusableBackup(
      `The backup in ${directory} is damaged: ${path} ${how}. Nothing was changed; use another backup.`,
    );
  if (size === null) throw damaged('is missing');
  if (size !== bytes) throw damaged(`has ${size} bytes instead of ${bytes}`);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  if (hash.digest('hex') !== sha256) throw damaged('is not what its checksum says');
}
