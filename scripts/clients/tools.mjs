// The programs that generate, document and measure the TypeScript client. They are apart from the workspace, so that the server
// installs none of them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../clients/typescript/tools/', import.meta.url));
const modules = join(folder, 'node_modules');

const readPackages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;

function isInstalled() {
  const list = join(modules, '.package-lock.json');
  if (!existsSync(list)) return false;
  const present = readPackages(list);
  return Object.entries(readPackages(join(folder, 'package-lock.json'))).every(
    ([path, { version, optional }]) => path === '' || (present[path]?.version ?? (optional && version)) === version,
  );
}

/** Installs the programs unless they are there, and returns the folder of their packages. */
export function installTools(say = () => undefined) {
  if (isInstalled()) return modules;
  say('Installing what generates, documents and tests the TypeScript client …');
  const npm = process.env.npm_execpath;
  const options = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const [command, ...args] = npm?.endsWith('.js') ? [process.execPath, npm, ...options] : ['npm', ...options];
  const run = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, CI: '1' } });
  if (run.status !== 0) throw new Error(`npm ci in clients/typescript/tools failed:\n${run.stdout}${run.stderr}`);
  return modules;
}
