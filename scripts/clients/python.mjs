// The environment for generating, documenting and testing the Python client.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const home = 'clients/python';
const requirements = join(root, home, 'tools', 'requirements.txt');

const environment = () => ({ PATH: process.env.PATH, HOME: process.env.HOME, PYTHONDONTWRITEBYTECODE: '1' });

/** Runs a program and returns its output; throws its standard error when it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, ...options });
  if (result.status !== 0) {
    const said = `${result.stdout ?? ''}${result.stderr ?? result.error?.message ?? ''}`;
    throw new Error(`${[command, ...args].join(' ')} failed:\n${said}`);
  }
  return result.stdout;
}

/**
 * Returns the interpreter of an environment with tools/requirements.txt, creating it if necessary. It needs Python 3
 * with its venv module. Two processes may create it at once: complete environments are moved into place.
 */
export function pythonTools(say = () => undefined) {
  const cache = join(root, 'node_modules', '.cache', 'python');
  const name = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const python = join(cache, name, 'bin', 'python3');
  if (existsSync(join(cache, name))) return python;
  say('Installing what generates, documents and tests the Python client …');
  mkdirSync(cache, { recursive: true });
  const made = mkdtempSync(join(cache, 'new-'));
  run('python3', ['-m', 'venv', made]);
  const options = ['--quiet', '--disable-pip-version-check', '-r', requirements];
  run(join(made, 'bin', 'python3'), ['-m', 'pip', 'install', ...options]);
  try {
    renameSync(made, join(cache, name));
  } catch (error) {
    rmSync(made, { recursive: true });
    if (!existsSync(python)) throw error;
  }
  return python;
}

/** Generates the parts of the library that are not in git, unless they are current. */
export function makePython() {
  run(pythonTools(), [join(root, home, 'tools', 'make_library.py')], { env: environment() });
}
