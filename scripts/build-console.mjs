// Builds console/ into console/dist, if anything has changed since the last build. Plain JavaScript for the machine's
// own Node.js.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeTypescript } from './clients/typescript.mjs';
import { writeConsoleTables } from './console-tables.mjs';
import { findNode, root } from './node.mjs';

const source = join(root, 'console');
const client = join(root, 'clients', 'typescript', 'src');
const output = join(source, 'dist');
const stampFile = join(output, 'built-from.txt');

function* filesOf(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (/^(dist.*|node_modules)$/.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesOf(path);
    else yield path;
  }
}

/** Returns a hash of all inputs of the build: sources, the client library, and the versions of all packages. */
function hashInputs() {
  const hash = createHash('sha256');
  for (const path of [
    ...filesOf(source),
    ...filesOf(client),
    join(root, 'package-lock.json'),
    fileURLToPath(import.meta.url),
  ])
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  return hash.digest('hex');
}

/** Runs Vite with the Node.js that it needs. The new folder replaces the old one only when it is complete. */
function build(stamp) {
  const folder = `${output}.${process.pid}`;
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const options = [
    '--config',
    join(source, 'vite.config.mjs'),
    '--outDir',
    folder,
    '--emptyOutDir',
    '--logLevel',
    'warn',
  ];
  const { status, stdout, stderr } = spawnSync(findNode(), [vite, 'build', ...options], {
    cwd: source,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The console could not be built:\n${stdout}${stderr}`);
  writeFileSync(join(folder, basename(stampFile)), stamp);
  rmSync(output, { recursive: true, force: true });
  renameSync(folder, output);
}

/**
 * Builds the console when its sources have changed since the last build, after generating the sources that are not in
 * git. `say` receives a line when there is work.
 */
export async function buildConsole(say) {
  await writeTypescript();
  writeConsoleTables();
  const stamp = hashInputs();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  say('Building the console …');
  build(stamp);
}

if (process.argv[1] && fileURLToPath(import.meta.url) === process.argv[1]) {
  await buildConsole((text) => process.stdout.write(`${text}\n`));
  process.stdout.write(`${relative(dirname(root), output)} is current.\n`);
}
