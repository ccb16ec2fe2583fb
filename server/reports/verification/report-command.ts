import type { Command } from 'commander';
import { addJsonOption, printResult, type WithDatabase, whyUnreadable } from '../../platform/command-output.ts';
import { printable } from '../../platform/terminal-text.ts';
import { type Claims, readClaims } from './read-claims.ts';
import { type Verification, verifyDocument } from './verify-document.ts';

const exitUsage = 2;

/** Returns one line for each check that was made. */
function describe(result: Verification, { snapshotSha256 }: Claims): string[] {
  const { report } = result;
  const hash =
    snapshotSha256 === null ? 'The document names no hash of a snapshot.' : 'The document names another hash.';
  return [
    `${report.id}: "${report.title}" of ${report.organization.name}, taken at ${report.completed_at}.`,
    result.snapshot_unchanged
      ? 'The stored snapshot has the hash that was computed when it was taken.'
      : 'CHANGED: the stored snapshot does not have the hash that was computed when it was taken, or none was computed.',
    result.hash_matches ? 'The document names the hash of that snapshot.' : `DIFFERS: ${hash}`,
    result.file_unchanged
      ? 'The file is, byte for byte, as Assay rendered it.'
      : 'CHANGED: the file is not as Assay rendered it. It was edited, saved again or made elsewhere.',
  ];
}

/** Reads the file. Sets exit code 2 and returns null when it can't be read or is not a report. */
async function readOrExplain(command: Command, file: string): Promise<Claims | null> {
  try {
    return await readClaims(file);
  } catch (error) {
    command.configureOutput().writeErr!(`assay: ${printable(whyUnreadable(error, file))}\n`);
    process.exitCode = exitUsage;
    return null;
  }
}

/** Adds `report verify`, which exits with 1 when a check fails, and with 2 when the file is not a report. */
export function registerReportCommand(program: Command, withDatabase: WithDatabase): void {
  const verify = program
    .command('report')
    .description('check documents')
    .command('verify')
    .description('check a PDF, DOCX or JSON export of a report against the stored snapshot')
    .argument('<file>', 'the document');
  addJsonOption(verify).action(async (file: string) => {
    const claims = await readOrExplain(verify, file);
    if (!claims) return;
    await withDatabase(async (database) => {
      const result = await verifyDocument(database, claims);
      const isGenuine = result?.genuine ?? false;
      const lines = result
        ? describe(result, claims)
        : [`UNKNOWN: the document says that it is report ${claims.reportId}, which this installation does not have.`];
      printResult(verify, result ?? { genuine: false, report: null, format: claims.format }, lines);
      if (!isGenuine) process.exitCode = 1;
    });
  });
}
