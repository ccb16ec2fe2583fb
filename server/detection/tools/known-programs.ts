import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '../../platform/private-file.ts';
import { toolSettings } from './tool-settings.ts';

/** The result of asking a program for its version. */
export type KnownProgram = { runs: boolean; version: string | null };

const fileOf = (folder: string, type: string) => join(folder, `${type}.json`);

/** Returns what a process of this installation learned from the tool's program; null when the file is another one. */
export async function readKnownProgram(type: string, key: string): Promise<KnownProgram | null> {
  const { versions } = toolSettings();
  if (versions === null) return null;
  try {
    const { key: stored, runs, version } = JSON.parse(await readFile(fileOf(versions, type), 'utf8'));
    return stored === key ? { runs, version } : null;
  } catch {
    return null;
  }
}

/** Remembers it for the other processes. A folder that can't be written costs only time. */
export async function writeKnownProgram(type: string, key: string, known: KnownProgram): Promise<void> {
  const { versions } = toolSettings();
  if (versions === null) return;
  try {
    await mkdir(versions, { recursive: true, mode: 0o700 });
    await writePrivateFile(fileOf(versions, type), JSON.stringify({ key, ...known }));
  } catch {
    // The next process asks again.
  }
}
