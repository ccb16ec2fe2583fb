import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { addJsonOption, printResult } from '../../platform/command-output.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Keyring } from '../../platform/sealed.ts';
import { findScan, type ScanRow } from '../scans/queries.ts';
import { scanView } from '../scans/scan-schema.ts';
import { waitForScan } from '../scans/wait-for-scan.ts';
import { runImport } from './merge-import.ts';
import { findOrganizationOfDataSource } from './queries.ts';
import { importFormats, receiveImport } from './receive-import.ts';
import { startImport } from './start-import.ts';

type ImportServices = { database: Database; keyring: Keyring; log: Log };
export type WithImportServices = (run: (services: ImportServices) => Promise<void>) => Promise<void>;

type Options = { dataSource: string; format?: string; tool?: string; closeMissing?: boolean };

const maxWaitMs = 3_600_000;

/**
 * Imports a result file and waits until its results are merged, by this process or by a worker, whichever is faster.
 */
async function importFile(services: ImportServices, file: string, options: Options): Promise<ScanRow> {
  const { database, keyring } = services;
  const orgId = await findOrganizationOfDataSource(database, options.dataSource);
  if (!orgId) throw new ApiError('not_found', `There is no data source ${options.dataSource}.`);
  const closeMissing = options.closeMissing ?? false;
  const received = await receiveImport(database, orgId, createReadStream(file), {
    format: options.format,
    tool: options.tool,
    closeMissing,
    keyedHash: (value) => keyring.keyedHash(orgId, value),
  });
  const wanted = { dataSourceId: options.dataSource, requestedBy: null, closeMissing };
  const job = await database.transaction(orgId, (tx) => startImport(tx, orgId, wanted, received));
  // A running worker may have started already: then the command waits for it.
  const scan = await database.transaction(orgId, (tx) => findScan(tx, orgId, received.scanId));
  if (scan?.status === 'queued') await runImport(services, job);
  return waitForScan(database, orgId, received.scanId, maxWaitMs);
}

/** Adds `import FILE`. Exits with 1 when the file is refused or the scan fails. */
export function registerImportCommand(program: Command, withServices: WithImportServices): void {
  const command = program
    .command('import')
    .description("import another scanner's result file into a data source")
    .argument('<file>', 'the result file, gzipped or not')
    .requiredOption('--data-source <id>', 'the data source to import into (ds_…)')
    .addOption(new Option('--format <format>', "the file's format (default: detected)").choices(importFormats))
    .option('--tool <name>', 'the tool that wrote the file, if the file does not name it or names another')
    .option('--close-missing', 'resolve findings that this tool reported there before and no longer reports');
  addJsonOption(command).action(async (file: string, options: Options) => {
    if (!(await stat(file).catch(() => null))?.isFile()) throw new Error(`There is no file ${file}.`);
    await withServices(async (services) => {
      const scan = scanView(await importFile(services, file, options));
      const { findings, status, errors } = scan;
      const figures = `${findings.new} new, ${findings.seen} seen again, ${findings.reopened} reopened, ${findings.resolved} resolved`;
      printResult(command, scan, [`${scan.source}: ${status}. ${figures}.`, ...errors.map(({ message }) => message)]);
      if (status !== 'completed') process.exitCode = 1;
    });
  });
}
