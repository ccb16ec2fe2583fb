import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';

/** Returns the ETag of a version (a row's counter), as handlers set it. `withBody` adds the rest before it is sent. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * Returns the strong ETag that is sent: the version, then a digest of the body. A body contains more than its own row
 * (names of other resources, figures that scans change), so a reader's copy is stale when any of that changes. A
 * writer's precondition is only the version: a scan that ends meanwhile is no reason to refuse an edit.
 */
export function withBody(etag: string, body: string): string {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 16);
  return `${etag.slice(0, -1)}.${digest}"`;
}

const versionOf = (tag: string) => tag.split('.', 1)[0];

const member = /\s*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?:,|$)/y;

/** Parses the entity tags of an `If-Match` or `If-None-Match` header; null when it is malformed. */
function readTags(header: string): { weak: boolean; version: string }[] | null {
  const tags = [];
  member.lastIndex = 0;
  while (member.lastIndex < header.length) {
    const found = member.exec(header);
    if (!found) return null;
    tags.push({ weak: found[1] !== undefined, version: found[2]! });
  }
  return tags;
}

/**
 * Returns the tags that the caller accepts: null without an `If-Match` header, `'*'` for any. Weak tags never match
 * (RFC 9110, 13.1.1). Throws 400 for a malformed header.
 */
export function expectedTags(request: FastifyRequest): '*' | string[] | null {
  const header = request.headers['if-match'];
  if (header === undefined) return null;
  if (header.trim() === '*') return '*';
  const tags = readTags(header);
  if (tags === null || tags.length === 0) {
    const message = 'must be * or a list of entity tags in double quotes, as the ETag header gave them';
    throw new ApiError('invalid_request', `If-Match: ${message}`, {
      details: [{ in: 'header', field: 'If-Match', message }],
    });
  }
  return tags.filter((tag) => !tag.weak).map((tag) => tag.version);
}

/**
 * Throws 412 unless the caller's `If-Match` names this version; the digest of the body is ignored. Lock the row
 * first.
 */
export function requireMatch(request: FastifyRequest, version: number): void {
  const expected = expectedTags(request);
  if (expected === null || expected === '*' || expected.some((tag) => versionOf(tag) === String(version))) return;
  throw new ApiError(
    'precondition_failed',
    'If-Match: it has been changed since. Read it again, and repeat the change on what you find.',
  );
}

/**
 * Returns whether the caller has this representation already (`If-None-Match`), so that 304 is enough. Compares weakly.
 */
export function isNotModified(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const version = etag.replace(/^W\//, '').slice(1, -1);
  return readTags(header)?.some((tag) => tag.version === version) ?? false;
}
