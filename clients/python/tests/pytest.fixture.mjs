// Runs a pytest file with the interpreter that has the installed wheel.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installedPackage } from '../../../scripts/clients/packed-python.mjs';

const folder = fileURLToPath(new URL('./', import.meta.url));

/** Returns the number of passed tests; rejects with pytest's output if one failed or was skipped. */
export async function runPytest(file, variables = {}, python = installedPackage().python) {
  const options = [
    '--quiet',
    '--no-header',
    '-p',
    'no:cacheprovider',
    '--tb=short',
    '-W',
    'error',
    '--rootdir',
    folder,
  ];
  const child = spawn(python, ['-I', '-m', 'pytest', ...options, file], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PYTHONDONTWRITEBYTECODE: '1', ...variables },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const code = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  const passed = /^(\d+) passed in /m.exec(output)?.[1];
  if (code !== 0 || passed === undefined) throw new Error(`pytest ${file} ended with ${code}:\n${output}`);
  return Number(passed);
}
