import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { BrandingError } from '../branding/branding-error.ts';
import type { ReportFinding, ReportHead } from '../report-model.ts';
import { compress, decompress } from '../snapshots/compressed.ts';
import { readBatch } from '../snapshots/snapshot-batch.ts';
import type { RenderSettings } from '../writers/format.ts';
import { findingsIn, reportFormats } from '../writers/index.ts';
import { brandingExitCode } from './exit-codes.ts';
import { frame, readFrames } from './frames.ts';

const pieceBytes = 512 * 1024;

/**
 * Writes one report in one format, in a separate process. It reads the report from standard input (frames: the head as
 * JSON, then the batches as stored). It writes the file to standard output (frames: pieces of the file as stored, each
 * after its size, then the SHA-256 of the file after a size of zero). Compressing and decompressing here relieves the
 * worker and reduces the bytes in the pipes to a tenth. The process has no database and none of our environment.
 */
async function render(format: keyof typeof reportFormats, settings: RenderSettings): Promise<void> {
  const write = await reportFormats[format].load();
  const frames = readFrames(process.stdin as AsyncIterable<Buffer>);
  const first = await frames.next();
  const head = JSON.parse(String(first.value)) as ReportHead;
  let sent: Promise<void> = Promise.resolve();
  const hash = createHash('sha256');
  const report = { head, findings: batches(frames, findingsIn(reportFormats[format], head)) };
  for await (const piece of inPieces(write(report, settings))) {
    hash.update(piece);
    await sent;
    sent = send(piece);
    sent.catch(() => {});
  }
  await sent;
  process.stdout.write(frame(Buffer.alloc(4), hash.digest()));
}

async function send(piece: Buffer): Promise<void> {
  const size = Buffer.allocUnsafe(4);
  size.writeUInt32BE(piece.length);
  if (!process.stdout.write(frame(size, await compress(piece)))) await once(process.stdout, 'drain');
}

/** Decompresses the next batch while the writer processes one; only the objects of one batch exist at a time. */
async function* batches(frames: AsyncGenerator<Buffer>, max: number): AsyncGenerator<ReportFinding[]> {
  const next = async () => {
    const { value, done } = await frames.next();
    return done ? null : decompress(value);
  };
  let left = max;
  for (let coming = next(); ; ) {
    const batch = await coming;
    if (batch === null) return;
    coming = next();
    coming.catch(() => {});
    if (left <= 0) continue;
    const findings = readBatch(batch).slice(0, left);
    left -= findings.length;
    yield findings;
  }
}

async function* inPieces(written: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of written) {
    waiting.push(part);
    bytes += part.length;
    if (bytes < pieceBytes) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

await render(process.argv[2] as keyof typeof reportFormats, JSON.parse(process.argv[3]!) as RenderSettings).catch(
  (error: unknown) => {
    if (!(error instanceof BrandingError)) throw error;
    writeSync(process.stderr.fd, `\n${error.message.replace(/\s+/g, ' ')}`);
    process.exit(brandingExitCode);
  },
);
await new Promise<void>((resolve) => process.stdout.end(() => resolve()));
process.exit(0);
