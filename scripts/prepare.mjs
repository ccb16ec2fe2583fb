// Brings a clone to where its commands run: nothing when nothing is missing. Plain JavaScript for the machine's own Node.js.
//   --test   also what the tests need of the system     --bench  also what the measurements need
//   --soak   also what the soak needs
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');

const say = (text) => process.stdout.write(`${text}\n`);

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Whether what is installed is what the lock file asks for: npm leaves a list of it once an installation is whole. */
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
  const node = join(modules, 'node', 'bin', 'node');
  const result = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (result.status === 0) return;
  fail(
    `The Node.js that Assay runs on (${node}) is missing. Its install script has to run: ` +
      'see that npm does not have ignore-scripts set ("npm config get ignore-scripts"), then run "npm ci".',
  );
}

/** Makes the first start as quick as later ones. Only a favour: whatever goes wrong will be told by the start itself. */
function warmUp() {
  const cache = join(modules, '.cache', 'compiled');
  const program = `import { enableCompileCache } from 'node:module'; enableCompileCache(process.argv[1]);
    await Promise.all(process.argv.slice(2).map((file) => import(file))); process.exit(0);`;
  const files = ['start.ts', 'run-worker.ts'].map((file) => pathToFileURL(join(root, 'server', file)).href);
  const node = join(modules, 'node', 'bin', 'node');
  spawnSync(node, ['--input-type=module', '-e', program, cache, ...files], { cwd: root, timeout: 60_000 });
}

const folders = () => ['/usr/local/bin', '/usr/bin', '/usr/sbin', ...(process.env.PATH ?? '').split(delimiter)];

/** pgbench lies outside the path on Debian, one folder for each major version. */
const versionedFolders = () =>
  existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').map((v) => `/usr/lib/postgresql/${v}/bin`)
    : [];

function hasProgram(name) {
  return [...folders(), ...versionedFolders()].some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Installs Debian packages without starting the services that come with them. */
function installPackages(packages) {
  const policy = '/usr/sbin/policy-rc.d';
  const ownPolicy = !existsSync(policy);
  if (ownPolicy) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const clusters = '/etc/postgresql-common/createcluster.conf';
  if (packages.includes('postgresql') && !existsSync(clusters)) {
    mkdirSync(dirname(clusters), { recursive: true });
    writeFileSync(clusters, 'create_main_cluster = false\n');
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) => spawnSync('apt-get', ['-qq', '-y', ...args], { encoding: 'utf8', env });
  try {
    let result = apt('install', '--no-install-recommends', ...packages);
    if (result.status !== 0) {
      apt('update');
      result = apt('install', '--no-install-recommends', ...packages);
    }
    return result.status === 0 ? null : `${result.stdout ?? ''}${result.stderr ?? result.error?.message ?? ''}`.trim();
  } finally {
    if (ownPolicy) rmSync(policy, { force: true });
  }
}

/** `programs`: what must be there, with the Debian package that brings it. */
function ensurePrograms(programs, purpose) {
  const missing = Object.entries(programs).filter(([name]) => !hasProgram(name));
  if (missing.length === 0) return;
  const names = missing.map(([name]) => name).join(', ');
  const packages = [...new Set(missing.map(([, name]) => name))];
  if (process.getuid?.() !== 0 || !hasProgram('apt-get')) {
    fail(`${purpose} need ${names}. Install them, on Debian: sudo apt-get install ${packages.join(' ')}`);
  }
  say(`Installing ${packages.join(', ')} for ${purpose.toLowerCase()} …`);
  const error = installPackages(packages);
  if (error !== null) fail(`${purpose} need ${names}, and apt-get could not install ${packages.join(' ')}:\n${error}`);
}

const current = isInstalled();
if (!current) install();
checkNode();
if (!current) warmUp();
/** Of the scanners that Assay can run, those that Debian has and that are quickly there. */
const scanners = { bandit: 'bandit', flawfinder: 'flawfinder', nmap: 'nmap', testssl: 'testssl.sh' };
if (process.argv.includes('--test')) {
  const programs = { git: 'git', 'redis-server': 'redis-server', sshd: 'openssh-server' };
  // What reads the documents that reports are exported as.
  const readers = { pdftotext: 'poppler-utils', soffice: 'libreoffice-writer-nogui' };
  // Debian has the module that makes environments apart from the interpreter.
  const python =
    spawnSync('python3', ['-c', 'import ensurepip, venv']).status === 0 ? {} : { 'python3 -m venv': 'python3-venv' };
  ensurePrograms({ ...programs, ...scanners, ...readers, ...python }, 'The tests');
}
if (process.argv.includes('--bench')) {
  ensurePrograms({ git: 'git', psql: 'postgresql-client', pgbench: 'postgresql' }, 'The measurements');
}
if (process.argv.includes('--soak')) {
  ensurePrograms({ git: 'git', 'redis-server': 'redis-server' }, 'The soak');
  // Without it the soak moves no clocks, and says so.
  if (process.getuid?.() === 0 && hasProgram('apt-get')) ensurePrograms({ faketime: 'faketime' }, 'The soak');
}
