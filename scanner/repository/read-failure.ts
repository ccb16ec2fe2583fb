import { DamagedRepository, TargetError } from '../contract/target-error.ts';
import { ProgramError } from '../platform/child-process.ts';

/** A file in the newest tree that is missing from the repository's objects. */
export class MissingFile extends Error {}

const outOfMemory = /out of memory|cannot allocate memory|malloc/i;

/**
 * Converts a failure to read a fetched repository into an error for the person who scans it; returns other errors
 * unchanged. `hours`: git's time limit.
 */
export function readFailure(error: unknown, hours: number): unknown {
  if (error instanceof MissingFile) return new DamagedRepository(error);
  if (!(error instanceof ProgramError) || error.program !== 'git' || error.code === 'ENOSPC') return error;
  if (error.reason === 'timeout') {
    const limit = hours === 1 ? 'an hour' : `${hours} hours`;
    return new TargetError(`Reading the repository took longer than ${limit} and was stopped.`, error);
  }
  if (outOfMemory.test(error.stderr)) {
    return new TargetError('Reading the history of the repository takes more memory than allowed.', error);
  }
  return error.reason === 'exit' ? new DamagedRepository(error) : error;
}
