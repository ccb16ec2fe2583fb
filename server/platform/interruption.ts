import { ProgramError, wasKilled } from '@assay/scanner/platform/child-process.ts';
import pg from 'pg';
import { ApiError } from './errors.ts';
import { isDatabaseAway, isOutOfRoom } from './postgres/database.ts';

/**
 * SQLSTATEs of statements that failed through no fault of their own: rolled back in favour of another transaction
 * (class 40), timed out waiting for a lock (55P03), or cancelled with their connection by an operator, a shutdown or a
 * time limit (57).
 */
const cutShort = /^(40001|40P01|55P03|57014|57P01|57P02|57P03|57P05|25P03|25P04)$/;

const isOfDatabase = (error: Error) =>
  error instanceof pg.DatabaseError
    ? cutShort.test(error.code ?? '') || isDatabaseAway(error)
    : /^(Connection terminated|Cannot use a pool after)|not queryable|trying to connect|Query read timeout/.test(
        error.message,
      );

/**
 * Returns whether an error is an interruption, not a failure of the work itself: the process is stopping, the
 * database is unavailable or restarting, a disk is full, or a program was killed from outside. The first three are
 * waited out indefinitely. Attempts of work whose program was killed are limited, since the work may be the reason.
 * An unreachable mail server or repository is a failure: it may stay unreachable.
 */
export function isInterruption(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof ApiError) return error.code === 'unavailable' && isInterruptingCause(error.cause);
  if (isOutOfRoom(error)) return true;
  if (error instanceof ProgramError) return wasKilled(error);
  return isOfDatabase(error);
}

/** `Database` translated this error: it comes from our database, whatever its code. */
const isInterruptingCause = (cause: unknown) => isDatabaseAway(cause) || isOutOfRoom(cause);

/** A full disk is rarely freed within a second. */
const fullDiskPauseMs = 10_000;
/** A program that was killed for lack of memory would be killed again at once. */
const killedPauseMs = 5_000;

/** Returns how long to wait before interrupted work is resumed, in milliseconds. */
export function pauseAfter(error: unknown): number {
  if (isOutOfRoom(error) || isOutOfRoom((error as Error).cause)) return fullDiskPauseMs;
  return wasKilled(error) ? killedPauseMs : 0;
}
