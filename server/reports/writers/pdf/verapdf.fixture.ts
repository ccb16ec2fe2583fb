import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PdfStandard } from '../format.ts';

const run = promisify(execFile);
const cache = fileURLToPath(new URL('../../../../node_modules/.cache/verapdf', import.meta.url));
const version = '1.28.2';

/** veraPDF as a Java archive, downloaded by Maven on first use. */
async function ensureArchive(): Promise<string> {
  const home = join(cache, version);
  const archive = join(home, `greenfield-apps-${version}.jar`);
  if (existsSync(archive)) return archive;
  await mkdir(cache, { recursive: true });
  const made = await mkdtemp(join(cache, 'new-'));
  const artifact = `-Dartifact=org.verapdf.apps:greenfield-apps:${version}`;
  await run('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${made}`], { cwd: made });
  await rename(made, home).catch(async (error: NodeJS.ErrnoException) => {
    await rm(made, { recursive: true });
    if (!existsSync(archive)) throw error;
  });
  return archive;
}

const flavours: Record<PdfStandard, string> = { 'ua-1': 'ua1', 'a-2a': '2a' };

/**
 * Checks documents against a standard and returns a line for each: `PASS` or `FAIL`, its path, and veraPDF's name of
 * the standard.
 */
export async function checkStandard(paths: string[], standard: PdfStandard): Promise<string[]> {
  const command = ['-cp', await ensureArchive(), 'org.verapdf.apps.GreenfieldCliWrapper'];
  const options = ['--flavour', flavours[standard], '--format', 'text'];
  const finished = run('java', ['-XX:TieredStopAtLevel=1', ...command, ...options, ...paths]);
  // It exits with 1 if a document fails.
  const { stdout } = await finished.catch((error: { stdout?: string }) => {
    if (!error.stdout) throw error;
    return { stdout: error.stdout };
  });
  return stdout.trim().split('\n').sort();
}
