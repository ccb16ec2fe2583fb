/** A scan of a target that failed for a reason which a person can fix. The message is for that person. */
export class TargetError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TargetError';
  }
}

export const dataSourceDeleted = () => new TargetError('The data source has been deleted.');
