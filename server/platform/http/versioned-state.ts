import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { etagOf, expectedVersions } from './etag.ts';

/**
 * The ETag of something that shows more than people change of it (when it last ran, say): what it shows, behind the
 * version that `requireVersion` compares.
 */
export function stateEtagOf(version: number, shown: object): string {
  const state = createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 16);
  return etagOf(`${version}.${state}`);
}

/** Throws 412 unless the caller's `If-Match` names this version, in whatever state behind the first dot. */
export function requireVersion(request: FastifyRequest, version: number): void {
  const expected = expectedVersions(request);
  if (expected === null || expected === '*' || expected.some((state) => state.split('.')[0] === String(version)))
    return;
  throw new ApiError(
    'precondition_failed',
    'If-Match: it has been changed since. Read it again, and repeat the change on what you find.',
  );
}
