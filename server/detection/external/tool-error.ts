import { TargetError } from '@assay/scanner/contract/target-error.ts';
import { type ProgramError, wasKilled } from '@assay/scanner/platform/child-process.ts';

/** A tool run without a reliable result. `toolSaid` is the end of its standard error, for the log. */
export class ToolError extends TargetError {
  readonly toolSaid: string | undefined;

  constructor(message: string, toolSaid?: string, cause?: unknown, isTransient?: boolean) {
    super(message, cause, isTransient);
    this.name = 'ToolError';
    this.toolSaid = toolSaid;
  }
}

/**
 * Phrases with which scanners (mostly through Go's and Python's libraries) report a temporary failure of the network
 * or a server.
 */
const connectionFailed =
  /no such host|server misbehaving|name resolution|Name or service not known|connection (refused|reset|timed out|aborted)|i\/o timeout|(handshake|request|read|connect) ?timed? ?out|context deadline exceeded|unexpected EOF|network is unreachable|no route to host|TOOMANYREQUESTS|too many requests|(status|status code|code|HTTP error|HTTP)[ :=]+(408|429|50[0234])\b/i;

/**
 * Explains a program's failure to the person who started the scan. `secret` is removed from everything that is
 * logged; `connects` says whether the tool uses the network.
 */
export function toolError(
  name: string,
  error: ProgramError,
  bounds: { minutes: number; memoryMb: number },
  { secret, connects }: { secret: string | null; connects: boolean },
): ToolError {
  const sentences: Record<ProgramError['reason'], string> = {
    not_started: `${name} could not be started.`,
    timeout: `${name} took longer than ${bounds.minutes} minutes and was stopped.`,
    aborted: `${name} was stopped.`,
    output_limit: `${name} wrote more than is allowed.`,
    exit: `${name} failed: it ended with exit code ${error.exitCode}.`,
    killed: `${name} was killed: it may have needed more than its ${bounds.memoryMb} MB of memory.`,
  };
  const said = secret ? error.stderr.replaceAll(secret, '(redacted)') : error.stderr;
  const isTransient = wasKilled(error) || (connects && error.reason === 'exit' && connectionFailed.test(error.stderr));
  return new ToolError(`${sentences[error.reason]} Nothing was closed.`, said.slice(-4_000), undefined, isTransient);
}
