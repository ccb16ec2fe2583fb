import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Database } from '../../platform/postgres/database.ts';
import { findHead, listBatches } from '../queries.ts';
import { bytesOf } from '../report.fixture.ts';
import { compress, decompress } from '../snapshots/compressed.ts';
import { readBatch } from '../snapshots/snapshot-batch.ts';
import { type ReportFormatName, reportFormats } from '../writers/index.ts';
import { beginExport, completeExport, insertExport, insertPiece } from './export-queries.ts';
import { enqueueDeliveries } from './render-export.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/**
 * Renders a report in this process, which takes a tenth of the time of the job and its process, and stores the file
 * like the job. Returns the file.
 */
export async function renderHere(
  database: Database,
  orgId: string,
  reportId: string,
  format: ReportFormatName,
): Promise<Buffer> {
  const key = { reportId, format };
  const { head, batches, attempt } = await database.transaction(orgId, async (tx) => {
    await insertExport(tx, orgId, key);
    return {
      ...(await findHead(tx, orgId, reportId))!,
      batches: await listBatches(tx, orgId, reportId, 0, 100),
      attempt: (await beginExport(tx, orgId, key))!,
    };
  });
  const write = await reportFormats[format].load();
  const findings = await Promise.all(batches.map(async (batch) => readBatch(await decompress(batch))));
  const file = Buffer.from(await bytesOf(write({ head, findings: Readable.from(findings) })));
  const content = await compress(file);
  await insertPiece(database, orgId, key, { attempt, sequence: 0, content });
  const digests = { sha256: sha256(file), packedSha256: sha256(content) };
  await database.transaction(orgId, async (tx) => {
    await completeExport(tx, orgId, key, { attempt, size: file.length, ...digests });
    await enqueueDeliveries(tx, orgId, key);
  });
  return file;
}
