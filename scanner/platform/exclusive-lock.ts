import type { DatabaseSync } from 'node:sqlite';

/** Loads SQLite without the warning of Node.js 22 that it is experimental. */
function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * Locks a file for this process until the result is closed; null if another process has locked it. The kernel releases
 * the lock when the process ends. Creates the file if it is missing.
 */
export function openExclusively(file: string): DatabaseSync | null {
  let database: DatabaseSync | undefined;
  try {
    const { DatabaseSync } = loadSqlite();
    database = new DatabaseSync(file);
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    if ((error as { errcode?: number }).errcode === 5) return null;
    throw error;
  }
}
