import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../errors.ts';
import { openUpload } from './upload.ts';

export const defaultBodyLimit = 1024 * 1024;
const readTimeoutMs = 30_000;
const maxDepth = 64;

const tooLarge = (limit: number) =>
  new ApiError('payload_too_large', `The body is larger than ${limit} bytes, the maximum for this endpoint.`);

/** Reads a body of at most `limit` bytes, which must arrive within `timeoutMs`. */
async function readBody(raw: IncomingMessage, limit: number, timeoutMs = readTimeoutMs): Promise<Buffer> {
  if (Number(raw.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of openUpload(raw, { windowMs: timeoutMs, minBytes: Number.POSITIVE_INFINITY })) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

const malformed = (why: string, cause?: unknown) =>
  new ApiError('malformed_json', `The body is not valid JSON: ${why}.`, { cause });

/** Returns the place that V8's error names, without the excerpt of the body that it quotes. */
function positionIn(error: unknown): string {
  const position = /position (\d+)/.exec(String(error))?.[1];
  if (position !== undefined) return `it is wrong at character ${Number(position) + 1}`;
  return /Unexpected end/.test(String(error)) ? 'it ends too early' : 'it cannot be read';
}

/**
 * Refuses text that JSON can express but the database can't store (NUL, half of a surrogate pair), keys that reach into
 * JavaScript's prototypes, and excessive nesting.
 */
function checkContent(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalid('body', path || 'body', 'must not contain the character NUL');
    if (!value.isWellFormed())
      throw invalid('body', path || 'body', 'must be well-formed Unicode: it holds half of a surrogate pair');
  } else if (typeof value === 'object' && value !== null) {
    if (depth === 0) throw invalid('body', 'body', `must not be nested deeper than ${maxDepth} levels`);
    for (const [key, item] of Object.entries(value)) {
      const at = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
      if (key === '__proto__') throw invalid('body', at.slice(0, 200), 'is not a known field');
      if (!Array.isArray(value)) checkContent(key, 'field name', depth);
      checkContent(item, at, depth - 1);
    }
  }
}

/** Parses a JSON body; undefined for an empty one. Throws 400 that says where the error is. */
function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw malformed('it is not UTF-8');
  const text = body.toString();
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    throw malformed(positionIn(error), error);
  }
  checkContent(value, '', maxDepth);
  return value;
}

/** Makes the routes of a server accept only JSON. */
export function acceptJson(api: FastifyInstance, timeoutMs?: number): void {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('application/json', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    if ((payload.headers['content-encoding'] ?? 'identity') !== 'identity') {
      throw new ApiError('unsupported_media_type', 'Content-Encoding: the body must not be compressed.');
    }
    return parseJsonBody(await readBody(payload, request.routeOptions.bodyLimit, timeoutMs));
  });
  // Clients send a type with an empty body too (curl -d ''): an empty body has no wrong type.
  api.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    const refused = new ApiError('unsupported_media_type', 'Content-Type: must be application/json.');
    if (Number(payload.headers['content-length'] ?? 0) > 0) throw refused;
    if ((await readBody(payload, request.routeOptions.bodyLimit, timeoutMs)).length > 0) throw refused;
    return undefined;
  });
}
