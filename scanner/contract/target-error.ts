import { wasKilled } from '../platform/child-process.ts';

/**
 * A scan of a target failed for a reason that a person can fix or that may be temporary. The message is for that
 * person.
 */
export class TargetError extends Error {
  /** Whether the reason may be temporary: the scan is then retried a few times before it fails. */
  readonly isTransient: boolean;

  constructor(message: string, cause?: unknown, isTransient = wasKilled(cause)) {
    super(message, { cause });
    this.name = 'TargetError';
    this.isTransient = isTransient;
  }
}

/** The fetched copy of a repository can't be read. It is discarded, so that the next scan fetches it again. */
export class DamagedRepository extends TargetError {
  constructor(cause: unknown) {
    super('The fetched repository could not be read. The next scan fetches it again.', cause, false);
  }
}

export const dataSourceDeleted = () => new TargetError('The data source has been deleted.');
