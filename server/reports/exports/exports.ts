import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '../../platform/errors.ts';
import { enqueueOnce } from '../../platform/jobs/jobs.ts';
import { type Database, type Db, isForeignKeyViolation } from '../../platform/postgres/database.ts';
import { exportJobType, exportKey } from '../job-types.ts';
import { findHead } from '../queries.ts';
import type { ReportHead } from '../report-model.ts';
import { decompress } from '../snapshots/compressed.ts';
import { archiveContentType, type ExportOptions, type ReportFormat } from '../writers/format.ts';
import { type ReportFormatName, reportFormats } from '../writers/index.ts';
import {
  type ExportKey,
  type ExportState,
  findExport,
  insertExport,
  listPieces,
  reopenFailedExport,
} from './export-queries.ts';
import { exportFilenames, type Filenames } from './filename.ts';
import { type ExportVariant, variantOf } from './variant.ts';

/** Seconds since an export was requested, and the median time of earlier exports. */
type RenderTime = { elapsed: number; usual: number | null };

const minSeconds = 2;
const maxSeconds = 120;
const usualAtFirst = 10;

/**
 * Returns the seconds after which a client should retry: the rest of the time that this format usually takes. An export
 * past that time is expected to take a fifth of its elapsed time longer.
 */
export function retryAfterSeconds({ elapsed, usual }: RenderTime): number {
  const left = (usual ?? usualAtFirst) - elapsed;
  return Math.ceil(Math.min(maxSeconds, Math.max(minSeconds, left > 0 ? left : elapsed / 5)));
}

/** Reads how long an export has been rendering, and the median of the organization's last exports in its format. */
async function findRenderTime(tx: Db, orgId: string, { reportId, format }: ExportKey): Promise<RenderTime> {
  const { rows } = await tx.query<RenderTime>({
    name: 'report_export_render_time',
    text: `SELECT extract(epoch FROM clock_timestamp() - e.created_at)::float8 AS elapsed,
             (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) FROM (
                SELECT extract(epoch FROM completed_at - created_at)::float8 AS seconds
                FROM (SELECT * FROM report_exports WHERE org_id = $1 ORDER BY report_id DESC LIMIT 500) recent
                WHERE format = $3 AND status = 'ready' LIMIT 9) last) AS usual
           FROM report_exports e WHERE e.org_id = $1 AND e.report_id = $2 AND e.format = $3`,
    values: [orgId, reportId, format],
  });
  return rows[0] ?? { elapsed: 0, usual: null };
}

const retryFailedAfterSeconds = 30;
const piecesAtOnce = 8;
/** Most proxies wait this long for a response. */
const maxWaitMs = 55_000;
/** A writer without output for this long has died with its worker; another attempt starts from the beginning. */
const maxSilenceMs = 120_000;

/**
 * Enqueues the rendering of an export unless it is rendered. Concurrent callers cause one rendering, which starts
 * immediately.
 */
export async function requestExport(tx: Db, orgId: string, reportId: string, format: ExportVariant): Promise<void> {
  const key = { reportId, format };
  const isNew = await insertExport(tx, orgId, key);
  if (!isNew) await reopenFailedExport(tx, orgId, key, retryFailedAfterSeconds);
  if (!isNew && (await findExport(tx, orgId, key))?.status !== 'pending') return;
  await enqueueExport(tx, orgId, key);
}

/** Enqueues the rendering of a pending export, unless it already has a job. */
export async function enqueueExport(tx: Db, orgId: string, { reportId, format }: ExportKey): Promise<void> {
  const payload = { org_id: orgId, report_id: reportId, format };
  await enqueueOnce(tx, exportJobType, payload, exportKey(orgId, reportId, format));
}

export type OpenExport = {
  contentType: string;
  filenames: Filenames;
  /** The size of the file in bytes; null while it is being rendered. */
  size: number | null;
  /** The SHA-256 of the content; null while it is being rendered. */
  sha256: Buffer | null;
  /** The content, which can be read once. Throws if rendering fails midway. */
  content: AsyncGenerator<Buffer>;
};

/** `packed` returns the content as stored: a sequence of zstd frames, as in `Content-Encoding: zstd`. */
type OpenOptions = {
  signal?: AbortSignal;
  packed?: boolean;
  options?: ExportOptions;
  /** The time to wait for the first bytes. */
  waitMs?: number;
};

const unavailable = 'The report could not be rendered in this format. Try again in a minute, or use another format.';

const failed = ({ error }: ExportState) =>
  error === null
    ? new ApiError('unavailable', unavailable, { headers: { 'Retry-After': String(retryFailedAfterSeconds) } })
    : new ApiError('export_failed', error);

function beingRendered(time: RenderTime): ApiError {
  const seconds = String(retryAfterSeconds(time));
  const message = `The report is being rendered in this format. Try again in ${seconds} seconds.`;
  return new ApiError('export_not_ready', message, { headers: { 'Retry-After': seconds } });
}

/**
 * Returns the file of a ready report, which a worker renders on the first request. Waits for its first bytes; the rest
 * is streamed as it is written. Returns undefined if the report does not exist, is not ready, or is deleted meanwhile.
 * Throws a 409 if there are no bytes in time, and a 503 if the format can't be rendered.
 */
export async function openExport(
  database: Database,
  orgId: string,
  reportId: string,
  format: ReportFormatName,
  { signal, packed = false, options = {}, waitMs = maxWaitMs }: OpenOptions = {},
): Promise<OpenExport | undefined> {
  const variant = variantOf(format, options);
  const key = { reportId, format: variant };
  const found = await database
    .transaction(orgId, async (tx) => {
      const report = await findHead(tx, orgId, reportId);
      if (report) await requestExport(tx, orgId, reportId, variant);
      return report;
    })
    .catch((error: unknown) => {
      // The report was deleted between the two statements.
      if (isForeignKeyViolation(error)) return undefined;
      throw error;
    });
  if (!found) return undefined;
  const read = (from: number) => database.transaction(orgId, (tx) => readState(tx, orgId, key, from));
  const first = await waitForFirst(read, waitMs, signal);
  if (first === 'pending')
    throw beingRendered(await database.transaction(orgId, (tx) => findRenderTime(tx, orgId, key)));
  if (!first) return undefined;
  const { contentType, extension } = await kindOf(format, first.pieces[0]);
  return {
    contentType,
    filenames: exportFilenames(found.head, extension, marksOf(found.head, format, options)),
    size: first.size,
    sha256: packed ? first.packedSha256 : first.sha256,
    content: follow(first, read, { signal, packed }),
  };
}

/**
 * Returns the properties that distinguish the documents of one report: template, language, and a standard other than
 * the default.
 */
function marksOf(
  { template, document }: ReportHead,
  format: ReportFormatName,
  { language, standard }: ExportOptions,
): string[] {
  if (!('isDocument' in reportFormats[format])) return [];
  return [template, language ?? document.language, ...(standard ? [`pdf-${standard}`] : [])];
}

const zipSignature = Buffer.from('PK\x03\x04');

/** Returns the type of a file. If the format may be an archive, the first piece decides. */
async function kindOf(format: ReportFormatName, piece: Buffer | undefined) {
  const kind: ReportFormat = reportFormats[format];
  if (!kind.mayBeArchive || !piece) return kind;
  const isArchive = (await decompress(piece)).subarray(0, zipSignature.length).equals(zipSignature);
  return isArchive ? { contentType: archiveContentType, extension: 'zip' } : kind;
}

type State = ExportState & { pieces: Buffer[] };
type Read = (from: number) => Promise<State | undefined>;

async function readState(tx: Db, orgId: string, key: ExportKey, from: number): Promise<State | undefined> {
  const state = await findExport(tx, orgId, key);
  if (!state) return undefined;
  return { ...state, pieces: await listPieces(tx, orgId, key, { attempt: state.attempt, from, limit: piecesAtOnce }) };
}

/** Polls quickly at first, since most documents take about a second. */
const pauseMs = (waitedMs: number) => (waitedMs < 3_000 ? 40 : 250);

/** Returns the export once its first bytes are available; undefined if the report is deleted meanwhile. */
async function waitForFirst(read: Read, maxMs: number, signal?: AbortSignal): Promise<State | 'pending' | undefined> {
  for (const began = performance.now(); ; ) {
    const state = await read(0);
    if (!state) return undefined;
    if (state.status === 'failed') throw failed(state);
    if (state.status === 'ready' || state.pieces.length > 0) return state;
    const waitedMs = performance.now() - began;
    if (waitedMs >= maxMs) return 'pending';
    await delay(pauseMs(waitedMs), undefined, { signal });
  }
}

async function* follow(first: State, read: Read, { signal, packed }: OpenOptions): AsyncGenerator<Buffer> {
  let state = first;
  let next = 0;
  let sent = 0;
  for (let lastPieceAt = performance.now(); ; ) {
    for (const piece of state.pieces) {
      const content = packed ? piece : await decompress(piece);
      sent += content.length;
      yield content;
    }
    next += state.pieces.length;
    // A query after the last piece might find the report deleted.
    if (sent === state.size || (state.status === 'ready' && state.pieces.length < piecesAtOnce)) return;
    if (state.pieces.length > 0) lastPieceAt = performance.now();
    else if (performance.now() - lastPieceAt > maxSilenceMs) throw new Error('The export stopped part-way.');
    else await delay(pauseMs(0), undefined, { signal });
    const following = await read(next);
    // Another attempt may split its pieces differently, so it can't continue the pieces already sent.
    if (!following || following.attempt !== first.attempt || following.status === 'failed')
      throw new Error('The export failed part-way.');
    state = following;
  }
}
