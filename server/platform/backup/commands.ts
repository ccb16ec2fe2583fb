import { resolve } from 'node:path';
import type { Command } from 'commander';
import { addJsonOption, printResult } from '../command-output.ts';
import { type BackupResult, backUp, type Installation } from './backup.ts';
import { checkBackup, type RestoreResult } from './restore.ts';

/** The parts of the installation that the commands need. `main.ts` provides it. */
export type BackupContext = {
  withInstallation<T>(run: (installation: Installation) => Promise<T>): Promise<T>;
  restore(directory: string): Promise<RestoreResult>;
};

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

const backupLines = ({ directory, tables, rows, files, bytes }: BackupResult) => [
  `Backed up ${rows} rows of ${tables} tables and ${files} files into ${directory} (${megabytes(bytes)}).`,
  'Keep it where only you can read it: it holds password hashes, and the key that opens stored credentials.',
];

const restoreLines = ({ createdAt, tables, rows, migrated }: RestoreResult) => [
  `Restored ${rows} rows of ${tables} tables from the backup of ${createdAt}.`,
  ...(migrated.length > 0 ? [`The schema was migrated to this release: ${migrated.join(', ')}.`] : []),
];

/** Adds `backup`. */
export function registerBackupCommand(program: Command, context: BackupContext): void {
  const backup = program
    .command('backup')
    .description('write a backup of the installation into a new folder; it may run meanwhile')
    .argument('<directory>', 'an empty or new folder');
  addJsonOption(backup).action(async (directory: string) => {
    const result = await context.withInstallation((installation) => backUp(installation, resolve(directory)));
    printResult(backup, result, backupLines(result));
  });
}

/** Adds `restore`. */
export function registerRestoreCommand(program: Command, context: BackupContext): void {
  const restore = program
    .command('restore')
    .description('make an installation from a backup, in an empty data directory or database')
    .argument('<directory>', 'a folder that "assay backup" wrote')
    .option('--check', 'only check that the backup is whole and fits this release');
  addJsonOption(restore).action(async (directory: string, options: { check?: boolean }) => {
    if (options.check) {
      const { createdAt, tables } = await checkBackup(resolve(directory));
      printResult(restore, { createdAt, tables: tables.length }, [`The backup of ${createdAt} is whole.`]);
      return;
    }
    const result = await context.restore(resolve(directory));
    printResult(restore, result, restoreLines(result));
  });
}
