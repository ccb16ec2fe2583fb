import { wasKilled } from '../../platform/child-process.ts';

/** A scan of a target that failed for a reason which a person can fix, or which may pass. The message is for that person. */
export class TargetError extends Error {
  /** Whether the reason may pass by itself: the scan is then tried again a few times before it has failed. */
  readonly isTransient: boolean;

  constructor(message: string, cause?: unknown, isTransient = wasKilled(cause)) {
    super(message, { cause });
    this.name = 'TargetError';
    this.isTransient = isTransient;
  }
}

export const dataSourceDeleted = () => new TargetError('The data source has been deleted.');
