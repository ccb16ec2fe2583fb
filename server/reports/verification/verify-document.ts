import { isId } from '../../platform/id.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { formatTime } from '../../platform/times.ts';
import { decompress } from '../exports/compressed.ts';
import { listBatches } from '../queries.ts';
import { SnapshotHash } from '../snapshots/snapshot-hash.ts';
import type { Claims } from './read-claims.ts';
import {
  findOrganizationOfReport,
  findStoredReport,
  isRenderedExport,
  type StoredReport,
} from './verification-queries.ts';

const batchesAtOnce = 8;

export type Verification = {
  /** Whether all checks passed. */
  genuine: boolean;
  report: { id: string; title: string; organization: { id: string; name: string }; completed_at: string };
  format: Claims['format'];
  /** Whether the snapshot as it is stored now has the hash that was computed when it was taken. */
  snapshot_unchanged: boolean;
  /** Whether the document names that hash. */
  hash_matches: boolean;
  /** Whether the file is, byte for byte, an export that Assay rendered. */
  file_unchanged: boolean;
};

/** Compares what a document says with the report that is stored. Returns null when no such report is stored. */
export async function verifyDocument(database: Database, claims: Claims): Promise<Verification | null> {
  const { reportId, format } = claims;
  if (!isId('rpt', reportId)) return null;
  const orgId = await database.transaction(null, (tx) => findOrganizationOfReport(tx, reportId));
  if (orgId === null) return null;
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
