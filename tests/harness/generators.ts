import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = fileURLToPath(new URL('../../node_modules/.cache/generators', import.meta.url));

/**
 * Returns a folder filled by `fill`, creating it if it does not exist. Concurrent calls are safe: complete folders
 * are moved into place.
 */
async function cached(key: string, fill: (folder: string) => Promise<unknown>): Promise<string> {
  const home = join(cache, createHash('sha256').update(key).digest('hex').slice(0, 16));
  const isThere = () =>
    stat(home).then(
      () => true,
      () => false,
    );
  if (await isThere()) return home;
  await mkdir(cache, { recursive: true });
  const made = await mkdtemp(join(cache, 'new-'));
  await fill(made);
  await rename(made, home).catch(async (error: NodeJS.ErrnoException) => {
    await rm(made, { recursive: true });
    if (!(await isThere())) throw error;
  });
  return home;
}

/** Returns a `node_modules` with these packages (`name@version`), outside the workspace. */
export async function npmPackages(...packages: string[]): Promise<string> {
  const home = await cached(packages.join('\n'), async (folder) => {
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    await run('npm', ['install', ...quiet, ...packages], { cwd: folder });
  });
  return join(home, 'node_modules');
}

/** Returns a program built by Go from this version of a module. */
export async function goProgram(path: string, version: string): Promise<string> {
  const home = await cached(`${path}@${version}`, (folder) =>
    run('go', ['install', `${path}@${version}`], { env: { ...process.env, GOBIN: folder } }),
  );
  return join(home, path.split('/').at(-1)!);
}
