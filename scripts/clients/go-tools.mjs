// Runs Go for the Go client. What it builds stays in the clone; the tools (clients/go/tools) come from the module proxy.
import { execFile } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'go');

export const goEnvironment = {
  ...process.env,
  GOCACHE: join(cache, 'build'),
  GOMODCACHE: join(cache, 'modules'),
  GOFLAGS: '-modcacherw -buildvcs=false',
  GOWORK: 'off',
  GOTOOLCHAIN: 'local',
};

/** Runs a command of Go in a folder (from the root of the clone) and returns what it printed. */
export async function runGo(args, folder, options = {}) {
  const cwd = isAbsolute(folder) ? folder : join(root, folder);
  try {
    return await run('go', args, { cwd, env: goEnvironment, maxBuffer: 64 * 1024 * 1024, ...options });
  } catch (error) {
    throw new Error(`go ${args.join(' ')} failed:\n${error.stdout ?? ''}${error.stderr ?? ''}` || error.message);
  }
}
