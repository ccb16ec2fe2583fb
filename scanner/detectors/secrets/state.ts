import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readStateFile, type StateFile, writeStateFile } from '../../repository/state-file.ts';
import type { LedgerEntry } from './ledger.ts';

/**
 * The state that a scan leaves for the next one. `basis` identifies everything else that the state depends on besides
 * the commits; a different basis invalidates it.
 */
export type ScanState = {
  basis: string;
  head: string;
  otherHeads: string[];
  skipped: SkippedFiles;
  entries: LedgerEntry[];
};

/** File versions that were too large to search: their number, and the first of them. */
export type SkippedFiles = { count: number; named: Array<{ path: string; size: number }> };

const fileName = 'secrets-state.ndjson';
const format = 'assay-secrets-state 1';

const fileOf = (directory: string, basis: string): StateFile => ({ directory, name: fileName, format, basis });

/**
 * Returns the state of the last complete scan. Null if there is none, its basis differs or it is damaged; everything is
 * then read again.
 */
export async function readState(directory: string, basis: string): Promise<ScanState | null> {
  const state = await readStateFile<Omit<ScanState, 'entries'>, LedgerEntry>(fileOf(directory, basis));
  return state && { ...state.header, entries: state.records };
}

/** Replaces the old state atomically: a crash leaves the old or the new one. */
export async function writeState(
  directory: string,
  state: Omit<ScanState, 'entries'>,
  entries: Iterable<LedgerEntry>,
): Promise<void> {
  await writeStateFile(fileOf(directory, state.basis), state, entries);
}

let program: Promise<string> | null = null;

/**
 * Returns a hash of the detector's source, its rules and the code that reads repositories. A new version of any of them
 * scans everything again.
 */
export function programHash(): Promise<string> {
  program ??= (async () => {
    const checksum = createHash('sha256');
    for (const directory of [import.meta.dirname, join(import.meta.dirname, '../../repository')]) {
      const names = (await readdir(directory, { recursive: true })).filter((name) =>
        /(?<!\.test|\.d)\.(ts|js)$/.test(name),
      );
      for (const name of names.sort()) checksum.update(`${name}\0`).update(await readFile(join(directory, name)));
    }
    return checksum.digest('base64url');
  })();
  return program;
}
