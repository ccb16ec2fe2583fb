/** A scan of a target failed for a reason that a person can do something about. The message is for them. */
export class TargetError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TargetError';
  }
}
