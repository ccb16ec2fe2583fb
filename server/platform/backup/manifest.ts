import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

const StoredFile = Type.Object({
  /** The path inside the folder of the backup; always with slashes. */
  path: Type.String({ pattern: '^(tables|files)/(?!(.*/)?[.][.](/|$))[^\\\\]+$' }),
  /** The SHA-256 of the file as it is stored. */
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});
export type StoredFile = Static<typeof StoredFile>;

const Manifest = Type.Object({
  format: Type.Literal('assay-backup'),
  formatVersion: Type.Literal(1),
  createdAt: Type.String(),
  assay: Type.String(),
  postgres: Type.String(),
  /** The migrations that the schema consists of. */
  migrations: Type.Array(Type.Object({ version: Type.Integer(), name: Type.String(), checksum: Type.String() }), {
    minItems: 1,
  }),
  /** The version of the job queue's own schema. */
  jobQueue: Type.Integer(),
  /** Identifies the secret key without revealing it. */
  secretKeyId: Type.String(),
  /** The tables as compressed COPY text. A table comes after the tables that it references. */
  tables: Type.Array(
    Type.Object({
      schema: Type.String(),
      name: Type.String(),
      columns: Type.Array(Type.String()),
      rows: Type.Integer({ minimum: 0 }),
      file: StoredFile,
    }),
  ),
  sequences: Type.Array(Type.Object({ schema: Type.String(), name: Type.String(), value: Type.String() })),
  /** Compressed files of the data directory. `name` is the path in it. */
  files: Type.Array(Type.Object({ name: Type.String(), mode: Type.Integer(), file: StoredFile })),
});
export type Manifest = Static<typeof Manifest>;
export type TableEntry = Manifest['tables'][number];

const manifestFile = (directory: string) => join(directory, 'manifest.json');
const checksumFile = (directory: string) => join(directory, 'manifest.json.sha256');

/** A backup that can't be restored. The message says why and what to do. */
export class UnusableBackup extends Error {}

const checksumLine = (text: string) => `${createHash('sha256').update(text).digest('hex')}  manifest.json\n`;

/** Writes the manifest. It comes last: only a folder with a manifest is a backup. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(checksumFile(directory), checksumLine(text), { mode: 0o600 });
  await writeFile(manifestFile(directory), text, { mode: 0o600, flush: true });
}

/**
 * Reads the manifest of a backup. Throws UnusableBackup when the folder is not a backup, is incomplete or damaged, or
 * has another format.
 */
export async function readManifest(directory: string): Promise<Manifest> {
  if (!existsSync(manifestFile(directory))) {
    throw new UnusableBackup(
      `${directory} is not a backup of Assay, or one that was not finished: it has no manifest.json. Name the folder that "assay backup" wrote.`,
    );
  }
  const text = await readFile(manifestFile(directory), 'utf8');
  const checksum = await readFile(checksumFile(directory), 'utf8').catch(() => '');
  if (checksum !== checksumLine(text)) {
    throw new UnusableBackup(
      `The backup in ${directory} is damaged: manifest.json is not what its checksum says. Use another backup.`,
    );
  }
  const manifest: unknown = JSON.parse(text);
  const { format, formatVersion } = manifest as Partial<Manifest>;
  if (format !== 'assay-backup') throw new UnusableBackup(`${directory} is not a backup of Assay.`);
  if (formatVersion !== 1) {
    throw new UnusableBackup(
      `The backup in ${directory} has format ${formatVersion}, and this release of Assay reads format 1. Restore it with the release that created it (${(manifest as Manifest).assay}).`,
    );
  }
  if (!Value.Check(Manifest, manifest))
    throw new UnusableBackup(`The manifest of the backup in ${directory} is damaged.`);
  return manifest;
}

/** Returns all files that the manifest lists. */
export const filesOf = (manifest: Manifest): StoredFile[] =>
  [...manifest.tables, ...manifest.files].map(({ file }) => file);
