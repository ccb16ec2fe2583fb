// The npm programs that generate, document, check and measure the client libraries. They are not part of the
// workspace, so that the server installs none of them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../node.mjs';

const readPackages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;

function isInstalled(folder) {
  const list = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(list)) return false;
  const present = readPackages(list);
  return Object.entries(readPackages(join(folder, 'package-lock.json'))).every(
    ([path, { version, optional }]) => path === '' || (present[path]?.version ?? (optional && version)) === version,
  );
}

/** Installs the packages of a folder's lock file unless they are there, and returns the folder of its packages. */
export function installPackages(folder, say = () => undefined) {
  const modules = join(folder, 'node_modules');
  if (isInstalled(folder)) return modules;
  const name = relative(root, folder);
  say(`Installing what ${name} lists …`);
  const npm = process.env.npm_execpath;
  const options = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const [command, ...args] = npm?.endsWith('.js') ? [process.execPath, npm, ...options] : ['npm', ...options];
  const run = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, CI: '1' } });
  if (run.status !== 0) throw new Error(`npm ci in ${name} failed:\n${run.stdout}${run.stderr}`);
  return modules;
}

/** Installs the programs of a client library unless they are there, and returns the folder of their packages. */
export const installTools = (say = () => undefined, language = 'typescript') =>
  installPackages(join(root, 'clients', language, 'tools'), say);
