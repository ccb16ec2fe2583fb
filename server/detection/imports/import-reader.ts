import type { Readable } from 'node:stream';
import type { Static } from 'typebox';
import type { Database } from '../../platform/postgres/database.ts';
import type { Keyring } from '../../platform/sealed.ts';
import { type ImportPreview, previewImport } from './preview-import.ts';
import { type ImportRequest, type ReceivedImport, receiveImport } from './receive-import.ts';

/** The purpose of reading an upload: to merge it, or only to preview the merge. */
export type ImportOrder =
  | ({ reads: 'import'; orgId: string } & Wanted)
  | ({ reads: 'preview'; orgId: string; dataSourceId: string } & Wanted);

type Wanted = Pick<ImportRequest, 'format' | 'tool' | 'closeMissing'>;

/** Reads uploaded result files. Both methods throw 400 with the position for an invalid file. */
export type ImportReader = {
  /** Reads a file and stages its results in batches. Nothing of a refused file is stored. */
  receive(order: Omit<ImportOrder & { reads: 'import' }, 'reads'>, body: Readable): Promise<ReceivedImport>;
  /** Reads a file like `receive` and returns what an import of it would do. Writes nothing. */
  preview(
    order: Omit<ImportOrder & { reads: 'preview' }, 'reads'>,
    body: Readable,
  ): Promise<Static<typeof ImportPreview>>;
};

/** Returns a reader that works in this process. */
export function createImportReader(database: Database, keyring: Pick<Keyring, 'keyedHash'>): ImportReader {
  const reading = (orgId: string, { format, tool, closeMissing }: Wanted): ImportRequest => ({
    format,
    tool,
    closeMissing,
    keyedHash: (value: string) => keyring.keyedHash(orgId, value),
  });
  return {
    receive: ({ orgId, ...wanted }, body) => receiveImport(database, orgId, body, reading(orgId, wanted)),
    preview: ({ orgId, dataSourceId, ...wanted }, body) =>
      previewImport(database, orgId, dataSourceId, body, reading(orgId, wanted)),
  };
}
