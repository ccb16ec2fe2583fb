import type { TracingConfig } from '../config/config.ts';
import { createImportReader } from '../detection/imports/import-reader.ts';
import { serveReader } from '../detection/imports/serve-reader.ts';
import { serveAsHelper } from '../platform/helper-process.ts';
import { openLog } from '../platform/log.ts';
import { type Cell, openDatabases } from '../platform/postgres/cells/cell-database.ts';
import { createKeyedHash } from '../platform/sealed.ts';
import { startTracing } from './start-tracing.ts';

export type ImportProcessOrder = {
  databaseUrl: string;
  cells?: readonly Cell[];
  /** The key of the hashes that identify findings, as base64: the reader of files needs no other. */
  hashRoot: string;
  tracing: TracingConfig;
  logLevel: string;
};

/**
 * Reads uploaded result files in a separate process: 1,000,000 results take a minute of processor time and 100 MB of
 * heap, which the API needs for other requests.
 */
serveAsHelper(async ({ databaseUrl, cells, hashRoot, tracing, logLevel }: ImportProcessOrder, socketPath) => {
  await startTracing(tracing, 'importer', openLog({ level: logLevel }));
  const database = openDatabases(
    { connectionString: databaseUrl, applicationName: 'assay importer', maxConnections: 4 },
    cells ?? [],
  );
  await serveReader(createImportReader(database, createKeyedHash(Buffer.from(hashRoot, 'base64'))), socketPath);
});
