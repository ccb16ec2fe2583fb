import pg from 'pg';
import { ProgramError } from './child-process.ts';
import { ApiError } from './errors.ts';
import { isDatabaseAway, isOutOfRoom } from './postgres/database.ts';

/**
 * SQLSTATEs of statements that did nothing wrong: rolled back for the sake of another transaction (class 40), waited too long for
 * a lock (55P03), or cut short with their connection by an operator, a shutdown or a limit of time (57).
 */
const cutShort = /^(40001|40P01|55P03|57014|57P01|57P02|57P03|57P05|25P03|25P04)$/;

const isOfDatabase = (error: Error) =>
  error instanceof pg.DatabaseError
    ? cutShort.test(error.code ?? '') || isDatabaseAway(error)
    : /^(Connection terminated|Cannot use a pool after)|not queryable|trying to connect|Query read timeout/.test(
        error.message,
      );

/**
 * Whether an error says nothing about the work that it ended: the process is stopping, the database is away or restarts, a disk
 * is full, a program was killed from outside. Such work is done again, however often. That a mail server or a repository can't
 * be reached is none: it may stay so.
 */
export function isInterruption(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof ApiError) return error.code === 'unavailable' && isInterruptingCause(error.cause);
  if (isOutOfRoom(error)) return true;
  if (error instanceof ProgramError) return error.reason === 'killed' && error.signal === 'SIGKILL';
  return isOfDatabase(error);
}

/** A failure of our database, as `Database` translates it: whatever its code, it came from there. */
const isInterruptingCause = (cause: unknown) => isDatabaseAway(cause) || isOutOfRoom(cause);
