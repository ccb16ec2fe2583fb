import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readStateFile, type StateFile, writeStateFile } from '../../repository/state-file.ts';
import type { Standing } from './ledger.ts';

/** What a scan leaves for the next one. `basis` names everything that the standings rest on besides the commits; another basis makes them void. */
export type ScanState = { basis: string; head: string; skipped: SkippedFiles; standings: Standing[] };

/** Versions of files that were too large to be searched: how many, and the first of them. */
export type SkippedFiles = { count: number; named: Array<{ path: string; size: number }> };

const fileName = 'secrets-state.ndjson';
const format = 'assay-secrets-state 1';

const fileOf = (directory: string, basis: string): StateFile => ({ directory, name: fileName, format, basis });

/** The state of the last complete scan, or null: none, another basis, or damaged in any way. Then everything is read again. */
export async function readState(directory: string, basis: string): Promise<ScanState | null> {
  const state = await readStateFile<Omit<ScanState, 'standings'>, Standing>(fileOf(directory, basis));
  return state && { ...state.header, standings: state.records };
}

/** Puts the new state in the old one's place as a whole: a crash leaves one or the other. */
export async function writeState(
  directory: string,
  state: Omit<ScanState, 'standings'>,
  standings: Iterable<Standing>,
): Promise<void> {
  await writeStateFile(fileOf(directory, state.basis), state, standings);
}

let program: Promise<string> | null = null;

/** A hash over the detector's source, its rules and the code that reads repositories: a new version of any scans everything again. */
export function programHash(): Promise<string> {
  program ??= (async () => {
    const checksum = createHash('sha256');
    for (const directory of [import.meta.dirname, join(import.meta.dirname, '../../repository')]) {
      const names = (await readdir(directory, { recursive: true })).filter((name) =>
        /(?<!\.test)\.(ts|js)$/.test(name),
      );
      for (const name of names.sort()) checksum.update(`${name}\0`).update(await readFile(join(directory, name)));
    }
    return checksum.digest('base64url');
  })();
  return program;
}
