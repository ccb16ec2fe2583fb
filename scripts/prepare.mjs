// Installs the programs that the commands of a clone need, if any are missing. Plain JavaScript for the machine's own Node.js.
//   --test [FILE…]  also the programs that these tests need (files, folders, patterns), or all tests
//   --bench         also the programs for the measurements
//   --soak          also the programs for the soak
//   --client        the TypeScript client's package instead of the console, for `npm pack`
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildConsole } from './build-console.mjs';
import { bundlePackages } from './bundle-packages.mjs';
import { installGoTools } from './clients/go-tools.mjs';
import { makePython, pythonTools } from './clients/python.mjs';
import { installTools } from './clients/tools.mjs';
import { buildTypescript, writeTypescript } from './clients/typescript.mjs';
import { installHelm } from './helm.mjs';
import { findNode, neededMajor, root } from './node.mjs';
import { canInstall, ensurePrograms, overlap, programsOf } from './programs.mjs';

const modules = join(root, 'node_modules');

// The output of `npm pack --json` is for programs.
const isPacking = process.argv[2] === '--client';
const say = (text) => (isPacking ? process.stderr : process.stdout).write(`${text}\n`);

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

// The embedded PostgreSQL and the limits on programs that Assay starts need Linux or macOS.
if (process.platform === 'win32') {
  fail(
    'Assay runs on Linux and macOS. On Windows use WSL: "wsl --install" installs it, then clone and start Assay inside it.',
  );
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Returns whether the installed packages match the lock file: npm writes a list of them when it has finished. */
function isInstalled() {
  const listFile = join(modules, '.package-lock.json');
  if (!existsSync(listFile)) return false;
  const wanted = readJson(join(root, 'package-lock.json')).packages;
  const present = readJson(listFile).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true;
    if (!present[path]) return entry.optional === true || entry.peer === true;
    return present[path].version === entry.version && existsSync(join(root, path));
  });
}

function install() {
  say('Installing what package-lock.json lists (about a minute; only when it changed) …');
  const npm = process.env.npm_execpath;
  const options = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const [command, ...args] = npm?.endsWith('.js') ? [process.execPath, npm, ...options] : ['npm', ...options];
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', env: { ...process.env, CI: '1' } });
  if (result.status !== 0)
    fail(`npm ci failed:\n${result.stdout ?? ''}${result.stderr ?? result.error?.message ?? ''}`);
}

function checkNode() {
  const node = findNode();
  if (node && spawnSync(node, ['--version']).status === 0) return;
  fail(
    `The Node.js ${neededMajor} that Assay runs on could not be installed as a package. Either see that npm may run install scripts ` +
      `("npm config get ignore-scripts" prints false) and run "npm ci", or install Node.js ${neededMajor} yourself: this is ${process.version}.`,
  );
}

/** Makes the first start as fast as later ones. It ignores failures, which the start itself reports. */
function warmUp() {
  const cache = join(modules, '.cache', 'compiled');
  const program = `import { enableCompileCache } from 'node:module'; enableCompileCache(process.argv[1]);
    await Promise.all(process.argv.slice(2).map((file) => import(file))); process.exit(0);`;
  const urlOf = (...path) => pathToFileURL(join(root, 'server', ...path)).href;
  const files = ['start.ts', 'run-worker.ts'].map((file) => urlOf('processes', file));
  const options = ['--import', urlOf('processes', 'bundled-packages.mjs'), '--input-type=module', '-e', program];
  spawnSync(findNode(), [...options, cache, ...files], { cwd: root, timeout: 60_000 });
}

const argument = process.argv[2];
const programs = {
  '--test': () => {
    const files = process.argv.slice(3);
    ensurePrograms(programsOf(files), 'The tests');
    const needs = (...folders) => files.length === 0 || overlap(files, folders);
    if (needs('clients/typescript/tests/package.long', 'clients/typescript/tests/runtimes.long')) installTools(say);
    if (needs('clients/python/', 'docs/integrations/siem/', 'docs/integrations/nightly-csv/')) {
      pythonTools(say);
      makePython();
    }
    if (needs('clients/python/tests/package.long')) installTools(say, 'python');
    if (needs('clients/go/', 'clients/conformance/clone.long', 'docs/integrations/grafana/')) installGoTools(say);
    if (needs('tests/helm-chart.long.test.ts')) installHelm(say);
  },
  '--bench': () =>
    ensurePrograms(
      [
        { name: 'git', debian: 'git' },
        { name: 'psql', debian: 'postgresql-client' },
        { name: 'pgbench', debian: 'postgresql' },
      ],
      'The measurements',
    ),
  '--soak': () => {
    const needed = [
      { name: 'git', debian: 'git' },
      { name: 'redis-server', debian: 'redis-server' },
    ];
    // Without faketime the soak moves no clocks, and without the proxies it calls the nodes directly; it says so.
    if (canInstall()) {
      needed.push({ name: 'faketime', debian: 'faketime' });
      needed.push({ name: 'nginx', debian: 'nginx-light' }, { name: 'haproxy', debian: 'haproxy' });
    }
    ensurePrograms(needed, 'The soak');
  },
};

const current = isInstalled();
if (!current) install();
checkNode();
try {
  await bundlePackages();
  if (!current) warmUp();
  if (isPacking) {
    await writeTypescript();
    buildTypescript();
  } else {
    await buildConsole(say);
    if (argument) programs[argument]();
  }
} catch (error) {
  fail(error.message);
}
