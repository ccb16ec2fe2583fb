import { ApiError, errorCode } from '../errors.ts';
import type { LogLine } from '../repeated-lines.ts';
import { isDatabaseAway, isOutOfRoom } from './database.ts';

const databaseAway = 'the database is unavailable';

type SystemError = Error & { syscall?: string; address?: string; port?: number };

/** The addresses of a host are tried in turn: the error contains one error for each. */
const attemptOf = (error: Error): SystemError => (error instanceof AggregateError ? error.errors[0] : error);

/**
 * Returns the name of the outage that caused an error: the database (`databasePort` is its port) or another server is
 * unavailable, or a disk is full; null for any other error.
 */
export function outageOf(error: unknown, databasePort: number | null): string | null {
  const cause = error instanceof ApiError && error.cause !== undefined ? error.cause : error;
  if (isOutOfRoom(cause)) return 'no room';
  if (!(cause instanceof Error) || !isDatabaseAway(cause)) return null;
  const { syscall, address, port } = attemptOf(cause);
  // A missing file has the code of a missing socket.
  if (errorCode(cause) === 'ENOENT' && syscall !== 'connect') return null;
  return port === undefined || port === databasePort ? databaseAway : `${address}:${port} is unavailable`;
}

/** Messages of the job queue's library about its connections, which come without an error. */
const ofQueueConnection = /notify listener|UNLISTEN|not queryable|ECONN|ENOENT|Connection terminated/;

/** Returns the cause that log lines share; null for a line that is always written. */
export function causeOfLine({ fields, message }: LogLine, databasePort: number | null): string | null {
  if (message === slowStatement) return `slow statement ${fields.statement}`;
  if (message === slowRequest) return `slow request ${fields.operation}`;
  if (fields.component === 'jobs' && ofQueueConnection.test(message)) return databaseAway;
  return outageOf(fields.err, databasePort);
}

export const slowStatement = 'slow statement';
export const slowRequest = 'slow request';
