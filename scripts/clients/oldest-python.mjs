// The oldest Python that the client supports, with the oldest packages that it accepts. No registry has the
// interpreter: it is used if the machine has it, installed directly or by pyenv or uv.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installedPackage } from './packed-python.mjs';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the interpreters below a folder that contains a folder for each. */
function interpretersIn(folder, begin) {
  if (!existsSync(folder)) return [];
  const versions = readdirSync(folder).filter((name) => name.startsWith(begin));
  return versions.map((name) => join(folder, name, 'bin', 'python3.10'));
}

/** Returns the path of a Python 3.10 that can create environments, or null. */
export function findOldestPython() {
  const pyenv = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const uv = join(homedir(), '.local', 'share', 'uv', 'python');
  const found = ['python3.10', ...interpretersIn(pyenv, '3.10'), ...interpretersIn(uv, 'cpython-3.10')];
  return found.find((path) => spawnSync(path, ['-c', 'import ensurepip, venv']).status === 0) ?? null;
}

/** Returns the lowest versions that the distribution accepts, and the test runner, as arguments for pip. */
function requirements() {
  const read = (path) => readFileSync(join(root, 'clients', 'python', path), 'utf8');
  const [, listed] = /^dependencies = \[(.*)\]$/m.exec(read('pyproject.toml'));
  const lowest = [...listed.matchAll(/"(\w+)>=([\d.]+)/g)].map(([, name, version]) => `${name}==${version}.*`);
  return [...lowest, /^pytest==.*$/m.exec(read('tools/requirements.txt'))[0]];
}

/** Returns the interpreter of an environment with the client's wheel, created once per version of its sources. */
export async function oldestEnvironment(python) {
  const { wheel } = installedPackage();
  const needed = requirements();
  const name = createHash('sha256').update(needed.join()).update(python).update(readFileSync(wheel)).digest('hex');
  const cache = join(root, 'node_modules', '.cache', 'python');
  const folder = join(cache, `oldest-${name.slice(0, 16)}`);
  if (existsSync(folder)) return join(folder, 'bin', 'python3');
  mkdirSync(cache, { recursive: true });
  const made = mkdtempSync(join(cache, 'new-'));
  await run(python, ['-m', 'venv', made]);
  const options = ['--quiet', '--disable-pip-version-check', '--prefer-binary'];
  await run(join(made, 'bin', 'python3'), ['-m', 'pip', 'install', ...options, ...needed, wheel]);
  try {
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return join(folder, 'bin', 'python3');
}
