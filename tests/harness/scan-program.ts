import { Command, CommanderError } from 'commander';
import { registerScanCommand } from '../../server/detection/path-scan/scan-command.ts';

/** The command line with `scan` alone, for tests of it as a process. */
const program = new Command('assay').exitOverride();
registerScanCommand(program);
try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
