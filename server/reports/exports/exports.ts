import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '../../platform/errors.ts';
import { enqueueOnce } from '../../platform/jobs.ts';
import { type Database, type Db, isForeignKeyViolation } from '../../platform/postgres/database.ts';
import { type ReportFormatName, reportFormats } from '../formats/index.ts';
import { exportJobType, exportKey } from '../job-types.ts';
import { findHead } from '../queries.ts';
import type { ReportHead } from '../report-model.ts';
import { decompress } from './compressed.ts';
import {
  type ExportKey,
  type ExportState,
  findExport,
  insertExport,
  listPieces,
  reopenFailedExport,
} from './export-queries.ts';

const retryFailedAfterSeconds = 30;
const piecesAtOnce = 8;
/** As long as most proxies wait for an answer. */
const patienceMs = 55_000;
/** A writer that says nothing for so long has died with its worker; another one begins anew. */
const silenceMs = 120_000;

/** Has the export rendered, unless it is: however many ask at once, it is rendered once, and at once. */
export async function requestExport(tx: Db, orgId: string, reportId: string, format: ReportFormatName): Promise<void> {
  const key = { reportId, format };
  const isNew = await insertExport(tx, orgId, key);
  if (!isNew) await reopenFailedExport(tx, orgId, key, retryFailedAfterSeconds);
  if (!isNew && (await findExport(tx, orgId, key))?.status !== 'pending') return;
  await enqueueExport(tx, orgId, key);
}

/** Has a pending export rendered, unless a job for it is there. */
export async function enqueueExport(tx: Db, orgId: string, { reportId, format }: ExportKey): Promise<void> {
  const payload = { org_id: orgId, report_id: reportId, format };
  await enqueueOnce(tx, exportJobType, payload, exportKey(orgId, reportId, format));
}

export type OpenExport = {
  contentType: string;
  filename: string;
  /** Bytes of the file; null while it is still being rendered. */
  size: number | null;
  /** To be read once. Throws when rendering fails half-way. */
  content: AsyncGenerator<Buffer>;
};

/** `packed`: the content comes as it is stored, a row of zstd frames: what `Content-Encoding: zstd` means. */
type OpenOptions = { signal?: AbortSignal; packed?: boolean };

/** A name that every system takes: `Findings-of-the-third-quarter-2026-11-20.pdf`. */
function exportFilename(head: Pick<ReportHead, 'title' | 'taken_at'>, format: ReportFormatName): string {
  const plain = head.title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-');
  const name = plain.slice(0, 80).replaceAll(/^-+|-+$/g, '') || 'report';
  return `${name}-${head.taken_at.slice(0, 10)}.${reportFormats[format].extension}`;
}

const failed = () =>
  new ApiError(
    'unavailable',
    'This format could not be made of the report. Try again in a minute, or take another format.',
    {
      headers: { 'Retry-After': String(retryFailedAfterSeconds) },
    },
  );

const beingRendered = () =>
  new ApiError('report_not_ready', 'The report is being rendered in this format. Ask again in a few seconds.', {
    headers: { 'Retry-After': '5' },
  });

/**
 * The file of a ready report, rendered by a worker if it was not before. Waits for its first bytes; the others follow as they
 * are written. Undefined when the report is not there, not ready, or deleted meanwhile. Throws 409 when nothing came within a minute, and 503
 * when the format can't be rendered.
 */
export async function openExport(
  database: Database,
  orgId: string,
  reportId: string,
  format: ReportFormatName,
  { signal, packed = false }: OpenOptions = {},
): Promise<OpenExport | undefined> {
  const key = { reportId, format };
  const found = await database
    .transaction(orgId, async (tx) => {
      const report = await findHead(tx, orgId, reportId);
      if (report) await requestExport(tx, orgId, reportId, format);
      return report;
    })
    .catch((error: unknown) => {
      // The report was deleted between the two statements.
      if (isForeignKeyViolation(error)) return undefined;
      throw error;
    });
  if (!found) return undefined;
  const read = (from: number) => database.transaction(orgId, (tx) => readOn(tx, orgId, key, from));
  const first = await waitForFirst(read, signal);
  if (!first) return undefined;
  return {
    contentType: reportFormats[format].contentType,
    filename: exportFilename(found.head, format),
    size: first.size,
    content: follow(first, read, { signal, packed }),
  };
}

type State = ExportState & { pieces: Buffer[] };
type Read = (from: number) => Promise<State | undefined>;

async function readOn(tx: Db, orgId: string, key: ExportKey, from: number): Promise<State | undefined> {
  const state = await findExport(tx, orgId, key);
  if (!state) return undefined;
  return { ...state, pieces: await listPieces(tx, orgId, key, { attempt: state.attempt, from, limit: piecesAtOnce }) };
}

/** Polls quickly at first, since most documents take about a second. */
const pauseMs = (waitedMs: number) => (waitedMs < 3_000 ? 40 : 250);

/** The export once its first bytes are there; undefined when the report was deleted meanwhile. */
async function waitForFirst(read: Read, signal: AbortSignal | undefined): Promise<State | undefined> {
  for (const began = Date.now(); ; ) {
    const state = await read(0);
    if (!state) return undefined;
    if (state.status === 'failed') throw failed();
    if (state.status === 'ready' || state.pieces.length > 0) return state;
    const waitedMs = Date.now() - began;
    if (waitedMs > patienceMs) throw beingRendered();
    await delay(pauseMs(waitedMs), undefined, { signal });
  }
}

async function* follow(first: State, read: Read, { signal, packed }: OpenOptions): AsyncGenerator<Buffer> {
  let state = first;
  let next = 0;
  let sent = 0;
  for (let heardAt = Date.now(); ; ) {
    for (const piece of state.pieces) {
      const content = packed ? piece : await decompress(piece);
      sent += content.length;
      yield content;
    }
    next += state.pieces.length;
    // Asking once more after the last piece, one might find the report deleted meanwhile.
    if (sent === state.size || (state.status === 'ready' && state.pieces.length < piecesAtOnce)) return;
    if (state.pieces.length > 0) heardAt = Date.now();
    else if (Date.now() - heardAt > silenceMs) throw new Error('The export stopped half-way.');
    else await delay(pauseMs(0), undefined, { signal });
    const following = await read(next);
    // Another attempt may cut its pieces elsewhere: what was sent of the last one can't be gone on with.
    if (!following || following.attempt !== first.attempt || following.status === 'failed')
      throw new Error('The export failed half-way.');
    state = following;
  }
}
