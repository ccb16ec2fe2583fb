import { Command, CommanderError } from 'commander';
import { createScanCommand } from '../../scanner/path-scan/scan-command.ts';
import { scanAdditions } from '../../server/detection/scan-additions.ts';

/** The command line with only `scan`, for tests of it as a process. */
const scan = createScanCommand(scanAdditions()).exitOverride();
const program = new Command('assay').exitOverride().addCommand(scan);
try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
