import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { type Program, ProgramError, startProgram, wasKilled } from '@assay/scanner/platform/child-process.ts';
import { makeTemporaryDirectory } from '@assay/scanner/platform/temporary-directory.ts';
import { isInterruption } from '../../platform/interruption.ts';
import { enqueue, type JobDefinition } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import type { Replicas } from '../../platform/postgres/replicas/replicas.ts';
import { nodeFiles, nodePermissions } from '../../platform/sandbox/node-process.ts';
import { deliveryJobType, deliveryKey, exportJobType } from '../job-types.ts';
import { plainText } from '../plain-text.ts';
import { findHead, listBatches } from '../queries.ts';
import type { ReportHead } from '../report-model.ts';
import { findingsPerBatch } from '../snapshots/snapshot-batch.ts';
import type { ExportOptions, RenderSettings } from '../writers/format.ts';
import { findingsIn, type ReportFormatName, reportFormats } from '../writers/index.ts';
import { listPendingRecipients } from './delivery-queries.ts';
import { brandingExitCode } from './exit-codes.ts';
import {
  beginExport,
  completeExport,
  countFailedExport,
  type ExportKey,
  failExport,
  findExport,
  insertPiece,
  type RenderedFile,
} from './export-queries.ts';
import { frame, readFrames } from './frames.ts';
import { type ExportVariant, readVariant } from './variant.ts';

const batchesAtOnce = 4;
/** Consecutive failures after which an export has failed, until the next request for it. */
const failuresInARow = 3;
/** A program that is killed this often is assumed to be at fault itself. */
const maxKills = 20;
const killed =
  'The program that writes the file was killed each time: memory may be short on the machine of the worker.';
const timeoutMs = 15 * 60_000;
const memoryBytes = 2 * 1024 ** 3;

/** The document would show a state that the report no longer has. */
class Outdated extends Error {
  constructor() {
    super('The state of the report changed while this document was rendered. Request it again.');
    this.name = 'Outdated';
  }
}

type Rendering = { format: ReportFormatName; options: ExportOptions; attempt: number };

export type RenderServices = {
  database: Database;
  replicas?: Pick<Replicas, 'readerOfNow'> | null;
  log: Log;
  stopping: AbortSignal;
} & RenderSettings;

/** Renders a report in one format, in a separate process, and stores the file. */
export const renderExportJob: JobDefinition<RenderServices, typeof exportJobType.schema> = {
  ...exportJobType,
  async run({ org_id: orgId, report_id: reportId, format }, services) {
    const variant = readVariant(format);
    if (!variant) return;
    const key: ExportKey = { reportId, format: format as ExportVariant };
    const { database, log } = services;
    const attempt = await database.transaction(orgId, (tx) => beginExport(tx, orgId, key));
    if (attempt === undefined) return;
    try {
      await render(services, orgId, key, { ...variant, attempt });
    } catch (error) {
      // The report was deleted, so there is nothing left to render.
      if (!(await database.transaction(orgId, (tx) => findExport(tx, orgId, key)))) return;
      const tooOften = wasKilled(error) && attempt > maxKills;
      const problem = tooOften ? killed : error instanceof Outdated ? error.message : brandingProblem(error);
      if (services.stopping.aborted || (isInterruption(error) && !tooOften)) throw error;
      const failures = await database.transaction(orgId, (tx) => countFailedExport(tx, orgId, key));
      if (failures === undefined) return;
      if (failures % failuresInARow !== 0 && problem === null) throw error;
      log.error({ err: error, reportId, format }, 'A report could not be rendered; no attempts are left.');
      await database.transaction(orgId, async (tx) => {
        await failExport(tx, orgId, key, problem);
        // The mails record why they can't be sent, and request the file again before they fail.
        await enqueueDeliveries(tx, orgId, key, { untriedOnly: true });
      });
    }
  },
};

const maxProblem = 500;

/** Returns the writer's message about an error in the operator's folder. A retry would fail the same way. */
const brandingProblem = (error: unknown): string | null =>
  error instanceof ProgramError && error.exitCode === brandingExitCode
    ? plainText(error.stderr.split('\n').at(-1)!, { line: true, max: maxProblem })
    : null;

async function render(
  services: RenderServices,
  orgId: string,
  key: ExportKey,
  { format, options, attempt }: Rendering,
): Promise<void> {
  const { database } = services;
  const report = await database.transaction(orgId, (tx) => findHead(tx, orgId, key.reportId));
  if (!report) return;
  const { revision } = options;
  if (revision !== undefined && revision !== report.revision) throw new Outdated();
  const head: ReportHead = revision === undefined ? report.head : { ...report.head, approval: report.approval };
  const temporary = await makeTemporaryDirectory();
  const home = temporary.path;
  try {
    const failed = new AbortController();
    const signal = AbortSignal.any([services.stopping, failed.signal]);
    const { baseUrl = null, brandingFolder = null } = services;
    const settings: RenderSettings = { ...options, baseUrl, brandingFolder };
    const reads = (await services.replicas?.readerOfNow()) ?? database;
    const program = startRendering(format, settings, home, signal);
    const fed = feed(program, reads, orgId, key.reportId, { head, format });
    const kept = keep(program, database, orgId, key, attempt);
    const [file] = await Promise.all([kept, fed, program.finished]).catch(async (error) => {
      // Without more input, the program would wait until its timeout.
      failed.abort();
      const ended = await Promise.allSettled([kept, fed, program.finished]);
      const reasons = ended.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : null));
      // A killed program also truncates its output; the interruption is the more useful error.
      throw reasons.find(isInterruption) ?? reasons.find((reason) => brandingProblem(reason) !== null) ?? error;
    });
    await database.transaction(orgId, async (tx) => {
      if (await completeExport(tx, orgId, key, { attempt, ...file })) await enqueueDeliveries(tx, orgId, key);
    });
  } finally {
    await temporary.remove();
  }
}

/** Starts the program at a lower priority than the service, so that it does not slow down requests. */
function startRendering(
  format: ReportFormatName,
  settings: RenderSettings,
  home: string,
  signal: AbortSignal,
): Program {
  const script = join(import.meta.dirname, 'render-process.ts');
  const { brandingFolder } = settings;
  const branding = brandingFolder && existsSync(brandingFolder) ? [brandingFolder] : [];
  return startProgram({
    command: process.execPath,
    arguments: [
      ...memoryOptions(format),
      ...nodePermissions({ reads: branding, writes: [home], addons: true }),
      ...[script, format, JSON.stringify(settings)],
    ],
    directory: home,
    home,
    confinement: { reads: [...nodeFiles(), ...branding], network: 'none' },
    environment: renderEnvironment(),
    timeoutMs,
    niceness: 10,
    memoryBytes,
    signal,
  });
}

/**
 * With huge pages, Typst takes a sixth less processor time (C libraries other than GNU's ignore this tunable). Compiled
 * modules are cached across processes, as for the server.
 */
function renderEnvironment(): Record<string, string> {
  const compiled = getCompileCacheDir();
  return { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1', ...(compiled ? { NODE_COMPILE_CACHE: compiled } : {}) };
}

/**
 * Streaming writers need little memory. Without an initial size of the old generation, V8 keeps it near the 12 MB that
 * are alive and collects it for every third batch, which takes a third of the processor time of a CSV. It remains below
 * 200 MB with these sizes.
 */
const memoryOptions = (format: ReportFormatName) =>
  'isDocument' in reportFormats[format]
    ? ['--max-old-space-size=1536']
    : ['--min-semi-space-size=8', '--max-semi-space-size=8', '--initial-old-space-size=48', '--max-old-space-size=256'];

/** Sends the report to the writer: its head, then the batches that it needs. */
async function feed(
  { stdin }: Program,
  database: Database,
  orgId: string,
  reportId: string,
  { head, format }: { head: ReportHead; format: ReportFormatName },
): Promise<void> {
  const write = async (content: Buffer) => {
    if (stdin.write(frame(content)) || stdin.destroyed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    stdin.once('drain', resolve).once('close', resolve);
    await promise;
    stdin.off('drain', resolve).off('close', resolve);
  };
  await write(Buffer.from(JSON.stringify(head)));
  const shown = Math.min(findingsIn(reportFormats[format], head), head.summary.total);
  const needed = Math.ceil(shown / findingsPerBatch);
  for (let next = 0; next < needed && !stdin.destroyed; ) {
    const limit = Math.min(batchesAtOnce, needed - next);
    const batches = await database.transaction(orgId, (tx) => listBatches(tx, orgId, reportId, next, limit));
    if (batches.length < limit) throw new Error('Batches of the snapshot are missing.');
    for (const batch of batches) await write(batch);
    next += batches.length;
  }
  stdin.end();
}

/** Stores the pieces from the writer. The last frame is the SHA-256 of the file, after a size of zero. */
async function keep(
  { stdout }: Program,
  database: Database,
  orgId: string,
  key: ExportKey,
  attempt: number,
): Promise<RenderedFile> {
  const packed = createHash('sha256');
  let sha256: Buffer | null = null;
  let size = 0;
  let sequence = 0;
  for await (const piece of readFrames(stdout)) {
    const pieceSize = piece.readUInt32BE();
    const content = piece.subarray(4);
    if (pieceSize === 0) {
      sha256 = Buffer.from(content);
      continue;
    }
    size += pieceSize;
    packed.update(content);
    await insertPiece(database, orgId, key, { attempt, sequence: sequence++, content });
  }
  if (sha256 === null) throw new Error('The file ended before it was complete.');
  return { size, sha256, packedSha256: packed.digest() };
}

/**
 * Enqueues a job for each mail that waits for this export; a mail that waits for its next attempt is sent immediately.
 * `untriedOnly` restricts it to mails without an attempt, and leaves the next attempt of the others unchanged.
 */
export async function enqueueDeliveries(
  tx: Db,
  orgId: string,
  waitedFor: ExportKey,
  { untriedOnly = false } = {},
): Promise<void> {
  const { reportId } = waitedFor;
  for (const { recipient, attempts } of await listPendingRecipients(tx, orgId, waitedFor)) {
    if (untriedOnly && attempts > 0) continue;
    const key = deliveryKey(orgId, reportId, recipient);
    await enqueue(tx, deliveryJobType, { org_id: orgId, report_id: reportId, recipient }, { key });
  }
}
