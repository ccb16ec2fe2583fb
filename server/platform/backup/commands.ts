import { resolve } from 'node:path';
import type { Command } from 'commander';
import { addJsonOption, printResult } from '../command-output.ts';
import type { Log } from '../log.ts';
import { type BackupResult, backUp, type Installation } from './backup.ts';
import { type DrillResult, drillBackup, findNewestBackup } from './drill.ts';
import { readManifest, UnusableBackup } from './manifest.ts';
import { checkBackup, type RestoreResult } from './restore.ts';

/** The parts of the installation that the commands need. `main.ts` provides it. */
export type BackupContext = {
  withInstallation<T>(run: (installation: Installation) => Promise<T>): Promise<T>;
  restore(directory: string): Promise<RestoreResult>;
  /** Records a backup that the command created. */
  recordBackup(installation: Installation, result: BackupResult): Promise<void>;
  /** The part of the configuration that a drill needs. */
  findDrill(): Promise<{ directory: string | null; secretKey: string | null; log: Log }>;
  /** Records a drill, if the installation's database is reachable. */
  recordDrill(takenAt: string, error: string | null): Promise<void>;
};

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

const keepIt = (holdsSecretKey: boolean) =>
  holdsSecretKey
    ? ['Keep it where only you can read it: it holds password hashes, and the key that opens stored credentials.']
    : [
        'Keep it where only you can read it: it holds password hashes.',
        'It does not hold ASSAY_SECRET_KEY: keep that key elsewhere, since a restored installation opens stored credentials with no other.',
      ];

export const backupLines = ({ directory, tables, rows, files, bytes, holdsSecretKey }: BackupResult) => [
  `Backed up ${rows} rows of ${tables} tables and ${files} files into ${directory} (${megabytes(bytes)}).`,
  ...keepIt(holdsSecretKey),
];

const drillLines = ({ directory, takenAt, organizations, findings, tables, rows, migrated, seconds }: DrillResult) => [
  `The backup of ${takenAt} in ${directory} was restored into a scratch database in ${seconds} s, and is intact.`,
  `It holds ${organizations.restored} organizations and ${findings.restored} findings, as its manifest says, and ${rows} rows of ${tables} tables in all.`,
  ...(migrated.length > 0 ? [`Its schema was migrated to this release: ${migrated.join(', ')}.`] : []),
];

const restoreLines = ({ createdAt, tables, rows, migrated }: RestoreResult) => [
  `Restored ${rows} rows of ${tables} tables from the backup of ${createdAt}.`,
  ...(migrated.length > 0 ? [`The schema was migrated to this release: ${migrated.join(', ')}.`] : []),
];

/** Adds `backup`. */
export function registerBackupCommand(program: Command, context: BackupContext): void {
  const backup = program
    .command('backup')
    .description('back up the installation into a new folder, even while it runs')
    .argument('<directory>', 'an empty or new folder');
  addJsonOption(backup).action(async (directory: string) => {
    const result = await context.withInstallation(async (installation) => {
      const made = await backUp(installation, resolve(directory));
      await context.recordBackup(installation, made);
      return made;
    });
    printResult(backup, result, backupLines(result));
  });
  registerDrill(backup, context);
}

function registerDrill(backup: Command, context: BackupContext): void {
  const drill = backup
    .command('drill')
    .description('restore the newest scheduled backup, or one that you name, into a scratch database, and count')
    .argument('[directory]', 'a folder that "assay backup" wrote; the newest below ASSAY_BACKUP_DIR when left out');
  addJsonOption(drill).action(async (named: string | undefined) => {
    const { directory, secretKey, log } = await context.findDrill();
    if (named === undefined && directory === null)
      throw new UnusableBackup('Name the folder of a backup, or set ASSAY_BACKUP_DIR.');
    const folder = named === undefined ? await findNewestBackup(directory!) : resolve(named);
    const { createdAt } = await readManifest(folder);
    const result = await drillBackup(folder, secretKey, log).catch(async (error: Error) => {
      await context.recordDrill(createdAt, error.message.slice(0, 1_000));
      throw new Error(`The drill failed: ${error.message}`, { cause: error });
    });
    await context.recordDrill(createdAt, null);
    printResult(drill, result, drillLines(result));
  });
}

/** Adds `restore`. */
export function registerRestoreCommand(program: Command, context: BackupContext): void {
  const restore = program
    .command('restore')
    .description('restore a backup into an empty data directory or database')
    .argument('<directory>', 'a folder that "assay backup" wrote')
    .option('--check', 'only check that the backup is intact and fits this release');
  addJsonOption(restore).action(async (directory: string, options: { check?: boolean }) => {
    if (options.check) {
      const { createdAt, tables } = await checkBackup(resolve(directory));
      printResult(restore, { createdAt, tables: tables.length }, [`The backup of ${createdAt} is intact.`]);
      return;
    }
    const result = await context.restore(resolve(directory));
    printResult(restore, result, restoreLines(result));
  });
}
