import type { FastifyRequest } from 'fastify';
import { ApiError } from '../platform/errors.ts';
import { expectedVersions } from '../platform/http/etag.ts';

/** Throws 412 unless the caller's `If-Match` names this version, in whatever state of its scans: see `stateOf`. */
export function requireVersion(request: FastifyRequest, version: number): void {
  const expected = expectedVersions(request);
  if (expected === null || expected === '*' || expected.some((state) => state.split('.')[0] === String(version)))
    return;
  throw new ApiError(
    'precondition_failed',
    'If-Match: the data source has been changed since. Read it again, and repeat the change on what you find.',
  );
}
