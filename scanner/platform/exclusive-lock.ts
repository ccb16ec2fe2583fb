import { DatabaseSync } from 'node:sqlite';

/**
 * Locks a file for this process, until the result is closed; null when another process has it. The kernel drops the lock with
 * the process. Makes the file when it is missing.
 */
export function openExclusively(file: string): DatabaseSync | null {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    if ((error as { errcode?: number }).errcode === 5) return null;
    throw error;
  }
}
