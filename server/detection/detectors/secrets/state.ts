import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Standing } from './ledger.ts';

/** What a scan leaves for the next one. `basis` names everything that the standings rest on besides the commits; another basis makes them void. */
export type ScanState = { basis: string; head: string; skipped: SkippedFiles; standings: Standing[] };

/** Versions of files that were too large to be searched: how many, and the first of them. */
export type SkippedFiles = { count: number; named: Array<{ path: string; size: number }> };

const fileName = 'secrets-state.ndjson';
const format = 'assay-secrets-state 1';

/** The state of the last complete scan, or null: none, another basis, or damaged in any way. Then everything is read again. */
export async function readState(directory: string, basis: string): Promise<ScanState | null> {
  const checksum = createHash('sha256');
  const standings: Standing[] = [];
  let header: (Omit<ScanState, 'standings'> & { format: string }) | null = null;
  const input = createReadStream(join(directory, fileName));
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.startsWith('end ')) {
        return header && line === `end ${checksum.digest('hex')}` ? { ...header, standings } : null;
      }
      checksum.update(`${line}\n`);
      if (header) {
        standings.push(JSON.parse(line));
      } else {
        header = JSON.parse(line);
        if (header?.format !== format || header.basis !== basis) return null;
      }
    }
  } catch {
    // Nothing there, or nothing that can be read.
  } finally {
    input.destroy();
  }
  return null;
}

/** Puts the new state in the old one's place as a whole: a crash leaves one or the other. */
export async function writeState(
  directory: string,
  state: Omit<ScanState, 'standings'>,
  standings: Iterable<Standing>,
): Promise<void> {
  const temporary = join(directory, `${fileName}.${process.pid}.${Date.now()}.tmp`);
  const checksum = createHash('sha256');
  const file = await open(temporary, 'wx', 0o600);
  try {
    let pending = '';
    const write = async (line: string) => {
      checksum.update(line);
      pending += line;
      if (pending.length > 65_536) await flush();
    };
    const flush = async () => {
      await file.write(pending);
      pending = '';
    };
    await write(`${JSON.stringify({ format, ...state })}\n`);
    for (const standing of standings) await write(`${JSON.stringify(standing)}\n`);
    pending += `end ${checksum.digest('hex')}\n`;
    await flush();
    await file.sync();
    await file.close();
    await rename(temporary, join(directory, fileName));
  } catch (error) {
    await file.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}

let program: Promise<string> | null = null;

/** A hash over the detector's own source and rules: a new version of either reads everything again. */
export function programHash(): Promise<string> {
  program ??= (async () => {
    const directory = import.meta.dirname;
    const names = (await readdir(directory, { recursive: true })).filter((name) => /(?<!\.test)\.(ts|js)$/.test(name));
    const checksum = createHash('sha256');
    for (const name of names.sort()) checksum.update(`${name}\0`).update(await readFile(join(directory, name)));
    return checksum.digest('base64url');
  })();
  return program;
}
