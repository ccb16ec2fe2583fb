import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = fileURLToPath(new URL('../../../node_modules/.cache/python', import.meta.url));

/**
 * Returns the interpreter of an environment with these packages (`name==version`), which is created on first use;
 * Python 3 with its module venv must be installed. Concurrent callers do not conflict: complete environments are moved
 * into place.
 */
export async function pythonWith(...packages: string[]): Promise<string> {
  const home = join(cache, createHash('sha256').update(packages.join('\n')).digest('hex').slice(0, 16));
  const python = join(home, 'bin', 'python3');
  const isThere = () =>
    stat(join(home, 'complete')).then(
      () => true,
      () => false,
    );
  if (await isThere()) return python;
  await mkdir(cache, { recursive: true });
  const made = await mkdtemp(join(cache, 'new-'));
  await run('python3', ['-m', 'venv', made]);
  await run(join(made, 'bin', 'python3'), [
    '-m',
    'pip',
    'install',
    '--quiet',
    // Most installed modules are never imported.
    '--no-compile',
    '--disable-pip-version-check',
    ...packages,
  ]);
  await mkdir(join(made, 'complete'));
  await rename(made, home).catch(async (error: NodeJS.ErrnoException) => {
    await rm(made, { recursive: true });
    if (!(await isThere())) throw error;
  });
  return python;
}

/**
 * Runs a Python program with `input` on standard input and returns its output. Rejects with its error output on
 * failure.
 */
export async function runPython(python: string, program: string, input: string | Buffer): Promise<string> {
  const child = spawn(python, ['-I', '-c', program], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PYTHONUTF8: '1', PATH: process.env.PATH },
  });
  const printed: Buffer[] = [];
  const complaints: Buffer[] = [];
  child.stdout.on('data', (chunk) => printed.push(chunk));
  child.stderr.on('data', (chunk) => complaints.push(chunk));
  // A program that ends early closes the pipe; its exit code explains why.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject));
  if (code !== 0) throw new Error(`Python ended with ${code}: ${Buffer.concat(complaints).toString().slice(-3_000)}`);
  return Buffer.concat(printed).toString();
}
