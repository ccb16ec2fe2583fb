import type { ProgramError } from '../../platform/child-process.ts';
import { TargetError } from '../contract/target-error.ts';

/** A tool without a reliable result. `toolSaid` is the end of its standard error, for the log. */
export class ToolError extends TargetError {
  readonly toolSaid: string | undefined;

  constructor(message: string, toolSaid?: string, cause?: unknown) {
    super(message, cause);
    this.name = 'ToolError';
    this.toolSaid = toolSaid;
  }
}

/**
 * Explains a program's failure to the person who started the scan. `secret` is removed from everything that is logged.
 */
export function toolError(
  name: string,
  error: ProgramError,
  bounds: { minutes: number; memoryMb: number },
  secret: string | null,
): ToolError {
  const sentences: Record<ProgramError['reason'], string> = {
    not_started: `${name} could not be started.`,
    timeout: `${name} took longer than ${bounds.minutes} minutes and was stopped.`,
    aborted: `${name} was stopped.`,
    output_limit: `${name} wrote more than it may.`,
    exit: `${name} failed: it ended with exit code ${error.exitCode}.`,
    killed: `${name} was killed: it may have needed more than its ${bounds.memoryMb} MB of memory.`,
  };
  const said = secret ? error.stderr.replaceAll(secret, '(redacted)') : error.stderr;
  return new ToolError(`${sentences[error.reason]} Nothing was closed.`, said.slice(-4_000));
}
