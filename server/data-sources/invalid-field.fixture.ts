import assert from 'node:assert/strict';
import { ApiError } from '../platform/errors.ts';

/** For assert.throws: matches the 400 for that field. */
export const is400 = (field: string, message?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ApiError && error.code === 'invalid_request', String(error));
  assert.equal(error.details?.[0]?.field, field);
  if (message) assert.match(error.message, message);
  return true;
};
