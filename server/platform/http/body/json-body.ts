import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { resumeRequest } from '../../cost/charge-requests.ts';
import { ApiError, invalid } from '../../errors.ts';
import { openUpload } from './upload.ts';

export const defaultBodyLimit = 64 * 1024;
const readTimeoutMs = 30_000;
const maxDepth = 64;
/**
 * The limit is checked before the body is parsed: 26,000 fields in one object take 50 ms to parse and as long to
 * visit.
 */
const maxKeys = 1_000;

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

const quoted = (key = '') => JSON.stringify(key.length > 100 ? `${key.slice(0, 100).toWellFormed()}…` : key);

/** Returns the position from V8's error message, without the excerpt of the body that it quotes. */
function positionIn(error: unknown): string {
  const position = /position (\d+)/.exec(String(error))?.[1];
  if (position !== undefined) return `it is wrong at character ${Number(position) + 1}`;
  return /Unexpected end/.test(String(error)) ? 'it ends too early' : 'it cannot be read';
}

/** Formats a path, such as `items[3].name`. */
const pathOf = (keys: (string | number)[]) =>
  keys
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '')
    .slice(0, 200)
    .toWellFormed();

/**
 * Refuses text that JSON can express but the database can't store (NUL, half of a surrogate pair), keys that modify
 * JavaScript prototypes, and excessive nesting. Returns the number of keys. `at` is the path, which is formatted only
 * for a refusal.
 */
function checkContent(value: unknown, at: (string | number)[]): number {
  if (typeof value === 'string') checkText(value, () => pathOf(at) || 'body');
  if (typeof value !== 'object' || value === null) return 0;
  if (at.length === maxDepth) throw invalid('body', 'body', `must not be nested deeper than ${maxDepth} levels`);
  let keys = 0;
  const check = (key: string | number, item: unknown) => {
    at.push(key);
    if (key === '__proto__') throw invalid('body', pathOf(at), 'is not a known field');
    keys += checkContent(item, at);
    at.pop();
  };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) check(index, value[index]);
    return keys;
  }
  for (const key of Object.keys(value)) {
    checkText(key, () => 'field name');
    check(key, (value as Record<string, unknown>)[key]);
    keys += 1;
  }
  return keys;
}

function checkText(text: string, field: () => string): void {
  if (text.includes('\0')) throw invalid('body', field(), 'must not contain the character NUL');
  if (!text.isWellFormed())
    throw invalid('body', field(), 'must be well-formed Unicode: it contains half of a surrogate pair');
}

/** Parses a JSON body; undefined for an empty one. Throws 400 with the position of the error. */
function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw malformed('it is not UTF-8');
  const text = body.toString().replace(/^\ufeff/, '');
  const written = countKeys(text);
  if (written > maxKeys) throw invalid('body', 'body', `must not have more than ${maxKeys} fields in all`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw malformed(positionIn(error), error);
  }
  const keys = checkContent(value, []);
  // JSON.parse keeps the last of several values of a key. Another program may keep the first, and read a different
  // request.
  if (written > keys) throw malformed(`the key ${quoted(findDuplicateKey(text))} occurs twice in one object`);
  return value;
}

export const refusedEncoding = (accepted: string) =>
  new ApiError('unsupported_media_type', `Content-Encoding: the body must be ${accepted}.`);

/** Makes the routes of a server accept only JSON. */
export function acceptJson(api: FastifyInstance, timeoutMs?: number): void {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser('application/json', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    if ((payload.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
      throw refusedEncoding('not compressed');
    const body = await readBody(payload, request.routeOptions.bodyLimit, timeoutMs);
    resumeRequest(request, 'parsing');
    return parseJsonBody(body);
  });
  // Clients send a content type with an empty body too (curl -d ''): an empty body can't have a wrong type.
  api.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    const refused = new ApiError('unsupported_media_type', 'Content-Type: must be application/json.');
    if (Number(payload.headers['content-length'] ?? 0) > 0) throw refused;
    if ((await readBody(payload, request.routeOptions.bodyLimit, timeoutMs)).length > 0) throw refused;
    return undefined;
  });
}

/** Returns the index of the quote that ends the string that begins at `start`; the text's length without one. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === '\\') before -= 1;
  return (at - before) % 2 === 0;
}

/**
 * Returns the number of keys of all objects, repeated ones included. The text need not be JSON: outside strings, each
 * colon follows a key.
 */
function countKeys(text: string): number {
  let keys = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') at = endOfString(text, at);
    else if (text[at] === ':') keys += 1;
  }
  return keys;
}

/**
 * Returns the first key that occurs twice in an object, in a text that JSON.parse accepts; undefined when there is
 * none.
 */
function findDuplicateKey(text: string): string | undefined {
  const open: Set<string>[] = [];
  let last = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{') open.push(new Set());
    else if (character === '}') open.pop();
    else if (character === '"') {
      const end = endOfString(text, at);
      last = text.slice(at, end + 1);
      at = end;
    } else if (character === ':') {
      const key = JSON.parse(last) as string;
      const keys = open.at(-1)!;
      if (keys.has(key)) return key;
      keys.add(key);
    }
  }
  return undefined;
}
