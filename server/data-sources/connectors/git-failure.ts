import { ProgramError, wasKilled } from '@assay/scanner/platform/child-process.ts';
import { isOutOfRoom } from '../../platform/postgres/database.ts';

export type RepositoryFailure =
  | 'invalid_url'
  | 'invalid_credential'
  | 'authentication_failed'
  | 'not_found'
  | 'branch_not_found'
  | 'empty'
  | 'unreachable'
  | 'interrupted'
  | 'refused'
  | 'untrusted'
  | 'too_large'
  | 'no_room'
  | 'timeout'
  | 'aborted'
  | 'unavailable'
  | 'failed';

/**
 * The reason why a repository could not be fetched. `message` is a sentence for the user, without secrets or our paths;
 * `cause` is for the log.
 */
export class RepositoryError extends Error {
  readonly reason: RepositoryFailure;

  constructor(reason: RepositoryFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'RepositoryError';
    this.reason = reason;
  }

  /** Whether the cause may be temporary, so that another attempt makes sense. */
  get isTransient(): boolean {
    return this.reason === 'unreachable' || this.reason === 'interrupted' || this.reason === 'no_room';
  }
}

const interrupted = 'The program git was killed while it fetched the repository: memory may be short on this machine.';

/** Messages of git, curl and OpenSSH (in the C locale), most specific first. */
const signs: Array<[RegExp, RepositoryFailure, string]> = [
  [
    /CONNECT (tunnel )?failed, response 403|HTTP code 403 from proxy|may not be reached from here/i,
    'refused',
    'The network policy does not let scans reach this address. The operator can allow it.',
  ],
  [
    /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i,
    'untrusted',
    'The host shows another SSH key than before. If that is expected, remove the data source and add it again.',
  ],
  [
    /certificate problem|SSL certificate|certificate verif|unable to get local issuer/i,
    'untrusted',
    'The certificate of the host is not trusted by this machine.',
  ],
  [
    /Load key .*(invalid format|error in libcrypto|incorrect passphrase|bad passphrase)/i,
    'authentication_failed',
    'The SSH key could not be read: check that it is complete and that the passphrase is right.',
  ],
  [
    /Authentication failed|could not read (Username|Password)|Permission denied|HTTP Basic: Access denied|returned error: 40[13]|Access denied/i,
    'authentication_failed',
    'The host did not accept the credential: check that it is right, not expired, and may read this repository.',
  ],
  [
    /repository .* not found|Repository not found|does not appear to be a git repository|returned error: 404|access denied or repository not exported|does not exist/i,
    'not_found',
    'There is no repository at this address, or the credential may not see it.',
  ],
  [
    /returned error: (408|429|5\d\d)/i,
    'unreachable',
    'The host could not be reached, has a fault, or limits requests at the moment.',
  ],
  [
    /Could not resolve|could not be resolved|No connection to |Failed to connect|Couldn't connect|unable to connect|Connection (refused|timed out|reset|closed)|Network is unreachable|No route to host|Name or service not known|CONNECT (tunnel )?failed|ECONNREFUSED|Operation too slow|timed out|hung up unexpectedly|early EOF|unexpected eof|Empty reply from server|transfer closed|RPC failed|(Recv|Send|recv|send) (failure|error)|SSL_ERROR_SYSCALL|was not closed cleanly|Broken pipe|disconnect|Could not read from remote repository|expected (?:flush|'?packfile)|bad line length|bad pack header/i,
    'unreachable',
    'The host could not be reached, or broke the connection.',
  ],
];

/** Git's message about a child process, such as index-pack, that was killed from outside. */
const endedInside = /^(?:error|fatal): \S+ died of signal (?:1|2|3|9|15)$/m;

/**
 * Returns the failure of a git command that contacted a remote, from its output. A full local disk is not the
 * repository's fault.
 */
export function repositoryError(error: unknown): unknown {
  if (!(error instanceof ProgramError) || isOutOfRoom(error)) return error;
  if (error.reason === 'aborted') return new RepositoryError('aborted', 'The fetch was stopped.', error);
  if (error.reason === 'timeout') {
    return new RepositoryError('timeout', 'Fetching the repository took longer than is allowed.', error);
  }
  if (error.reason === 'not_started' || error.exitCode === 127) {
    return new RepositoryError('unavailable', 'The program git is not installed on this machine.', error);
  }
  if (wasKilled(error) || endedInside.test(error.stderr)) return new RepositoryError('interrupted', interrupted, error);
  for (const [sign, reason, message] of signs) {
    if (sign.test(error.stderr)) return new RepositoryError(reason, message, error);
  }
  return new RepositoryError('failed', 'The repository could not be fetched: git failed unexpectedly.', error);
}
