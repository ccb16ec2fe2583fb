import { printable } from '@assay/scanner/platform/terminal-text.ts';
import { whyUnreadable } from '@assay/scanner/platform/why-unreadable.ts';
import type { Command } from 'commander';
import { addJsonOption, printResult, type WithDatabase } from '../../platform/command-output.ts';
import { isId } from '../../platform/id.ts';
import { findInCells } from '../../platform/postgres/cells/cell-database.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { formatTime } from '../../platform/times.ts';
import { listBatches } from '../queries.ts';
import { decompress } from '../snapshots/compressed.ts';
import { SnapshotHash } from '../snapshots/snapshot-hash.ts';
import { type Claims, readClaims } from './read-claims.ts';
import {
  findOrganizationOfReport,
  findStoredReport,
  isRenderedExport,
  type StoredReport,
} from './verification-queries.ts';

const batchesAtOnce = 8;

type Verification = {
  /** Whether all checks passed. */
  genuine: boolean;
  report: { id: string; title: string; organization: { id: string; name: string }; completed_at: string };
  format: Claims['format'];
  /** Whether the stored snapshot still has the hash that was computed when it was taken. */
  snapshot_unchanged: boolean;
  /** Whether the document contains that hash. */
  hash_matches: boolean;
  /** Whether the file is, byte for byte, an export that Assay rendered. */
  file_unchanged: boolean;
};

/** Compares a document's claims with the stored report. Returns null if no such report is stored. */
export async function verifyDocument(database: Database, claims: Claims): Promise<Verification | null> {
  const { reportId, format } = claims;
  if (!isId('rpt', reportId)) return null;
  const orgId = await findInCells(database, (cell) =>
    cell.transaction(null, (tx) => findOrganizationOfReport(tx, reportId)),
  );
  if (orgId === undefined) return null;
  return database.consistentTransaction(orgId, async (tx) => {
    const stored = await findStoredReport(tx, orgId, reportId);
    if (!stored) return null;
    const expected = stored.snapshotSha256?.toString('hex') ?? null;
    const read = (from: number) => listBatches(tx, orgId, reportId, from, batchesAtOnce);
    const checks = {
      snapshot_unchanged: expected !== null && expected === (await hashOf(stored, read)),
      hash_matches: expected !== null && expected === claims.snapshotSha256,
      file_unchanged: await isRenderedExport(tx, orgId, { reportId, format, sha256: claims.fileSha256 }),
    };
    return {
      genuine: Object.values(checks).every((passed) => passed),
      report: {
        id: reportId,
        title: stored.title,
        organization: { id: orgId, name: stored.organization },
        completed_at: formatTime(stored.completedAt),
      },
      format,
      ...checks,
    };
  });
}

async function hashOf({ text }: StoredReport, read: (from: number) => Promise<Buffer[]>): Promise<string> {
  const hash = new SnapshotHash();
  hash.add(text);
  for (let next = 0; ; ) {
    const batches = await read(next);
    for (const batch of batches) hash.add(await decompress(batch));
    next += batches.length;
    if (batches.length < batchesAtOnce) return hash.digest().toString('hex');
  }
}

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

/** Reads the file. Sets exit code 2 and returns null if it can't be read or is not a report. */
async function readOrExplain(command: Command, file: string): Promise<Claims | null> {
  try {
    return await readClaims(file);
  } catch (error) {
    command.configureOutput().writeErr!(`assay: ${printable(whyUnreadable(error, file))}\n`);
    process.exitCode = exitUsage;
    return null;
  }
}

/** Adds `report verify`, which exits with 1 if a check fails, and with 2 if the file is not a report. */
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
