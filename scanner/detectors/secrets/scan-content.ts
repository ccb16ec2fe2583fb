import { ignoreMark, readIgnoreComments } from '../../repository/ignore-comments.ts';
import type { SecretEngine, SecretHit } from './engine.ts';
import { searchableBytes } from './text.ts';

/** The engine needs about 25 ms for a chunk. */
const chunkBytes = 512 * 1024;
/** The overlap of neighbouring chunks. Each half of it belongs to one of them. */
const sharedBytes = 64 * 1024;
const patienceMs = 20;

let lastPause = performance.now();

/** Yields to other work in the process after some time. */
export async function pause(): Promise<void> {
  if (performance.now() - lastPause < patienceMs) return;
  await new Promise((resolve) => setImmediate(resolve));
  lastPause = performance.now();
}

/**
 * Returns all secrets in a blob of any size. Searches large blobs in overlapping chunks with pauses, so that the event
 * loop is never blocked for long. May miss a secret longer than 32 KB that crosses chunks.
 */
export async function findSecrets(engine: SecretEngine, content: Buffer, path: string): Promise<SecretHit[]> {
  const hits = await findHits(engine, content, path);
  if (hits.length > 0 && content.includes(ignoreMark)) readIgnored(hits, content.toString());
  return hits;
}

function readIgnored(hits: SecretHit[], text: string): void {
  const comments = readIgnoreComments(text);
  for (const hit of hits) {
    const found = comments.find(hit.startLine, [hit.rule.id]);
    if (found) hit.ignored = { reason: found.reason, line: found.line };
  }
}

async function findHits(engine: SecretEngine, content: Buffer, path: string): Promise<SecretHit[]> {
  if (content.length <= chunkBytes) {
    const hits = engine.mayContainSecret(content, path) ? engine.find(content, path) : [];
    await pause();
    return hits;
  }
  const bytes = searchableBytes(content);
  if (!bytes) return [];
  const hits: SecretHit[] = [];
  const where: Position = { line: 1, column: 1 };
  let counted = 0;
  for (let start = 0; ; start += chunkBytes - sharedBytes) {
    const end = Math.min(start + chunkBytes, bytes.length);
    const last = end === bytes.length;
    advance(where, bytes.subarray(counted, start));
    counted = start;
    const chunk = bytes.subarray(start, end);
    if (engine.mayContainSecret(chunk, path)) {
      const from = advance({ line: 1, column: 1 }, chunk.subarray(0, start === 0 ? 0 : sharedBytes / 2));
      const to = last ? null : advance({ line: 1, column: 1 }, chunk.subarray(0, chunk.length - sharedBytes / 2));
      for (const hit of engine.find(chunk, path)) {
        if (start > 0 && isBefore(hit, from)) continue;
        if (to && !isBefore(hit, to)) continue;
        hits.push(moveHit(hit, where));
      }
    }
    await pause();
    if (last) return hits;
  }
}

type Position = { line: number; column: number };

/**
 * Advances a position over `bytes`. Counts columns in bytes, which is wrong only in non-ASCII lines of hundreds of
 * kilobytes.
 */
function advance(position: Position, bytes: Uint8Array): Position {
  let lineStart = -1;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    position.line++;
    lineStart = at;
  }
  position.column = lineStart >= 0 ? bytes.length - lineStart : position.column + bytes.length;
  return position;
}

function isBefore(hit: SecretHit, position: Position): boolean {
  return hit.startLine < position.line || (hit.startLine === position.line && hit.startColumn < position.column);
}

function moveHit(hit: SecretHit, where: Position): SecretHit {
  return {
    ...hit,
    startLine: hit.startLine + where.line - 1,
    endLine: hit.endLine + where.line - 1,
    startColumn: hit.startLine === 1 ? hit.startColumn + where.column - 1 : hit.startColumn,
    endColumn: hit.endLine === 1 ? hit.endColumn + where.column - 1 : hit.endColumn,
  };
}
