// The programs from npm that generate, document, check and measure the client libraries. They are apart from the workspace, so
// that the server installs none of them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folderOf = (language) => fileURLToPath(new URL(`../../clients/${language}/tools/`, import.meta.url));

const readPackages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages;

function isInstalled(folder) {
  const list = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(list)) return false;
  const present = readPackages(list);
  return Object.entries(readPackages(join(folder, 'package-lock.json'))).every(
    ([path, { version, optional }]) => path === '' || (present[path]?.version ?? (optional && version)) === version,
  );
}

/** Installs the programs unless they are there, and returns the folder of their packages. */
export function installTools(say = () => undefined, language = 'typescript') {
  const folder = folderOf(language);
  const modules = join(folder, 'node_modules');
  if (isInstalled(folder)) return modules;
  say(`Installing what clients/${language}/tools lists …`);
  const npm = process.env.npm_execpath;
  const options = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const [command, ...args] = npm?.endsWith('.js') ? [process.execPath, npm, ...options] : ['npm', ...options];
  const run = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, CI: '1' } });
  if (run.status !== 0) throw new Error(`npm ci in clients/${language}/tools failed:\n${run.stdout}${run.stderr}`);
  return modules;
}
