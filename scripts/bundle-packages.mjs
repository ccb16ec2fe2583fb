// Makes a few files of the server's packages that have hundreds of modules each: Node.js takes as long to find and link
// these as to run them. Plain JavaScript for the machine's own Node.js.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './node.mjs';

/** Where server/processes/bundled-packages.mjs looks for them. */
const output = join(root, 'node_modules', '.cache', 'bundled');
const indexFile = join(output, 'index.json');

const imported = /(?:from|import\()\s*'((?:typebox|better-auth|@better-auth\/[\w-]+)(?:\/[\w/-]+)?)'/g;

/** Returns the entries of these packages that sources import: whatever they share is then in one bundle. */
function findEntries() {
  const files = ['server', 'tests', 'bench', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|mjs)$/.test(path) && !path.includes('node_modules'))
      .map((path) => join(root, folder, path)),
  );
  const names = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(imported)].map(([, name]) => name));
  return [...new Set(names)].sort();
}

const hashOf = (...texts) => createHash('sha256').update(texts.join('\0')).digest('hex');

/** Bundles the packages unless that was done for the same versions and imports. */
export async function bundlePackages() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const entries = findEntries();
  const stamp = hashOf(lock, entries.join(), readFileSync(fileURLToPath(import.meta.url)));
  if (existsSync(indexFile) && JSON.parse(readFileSync(indexFile, 'utf8')).stamp === stamp) return;
  const { build } = await import('esbuild');
  const fileOf = (name) => name.replaceAll('/', '+');
  // The new folder replaces the old one only when it is complete.
  const folder = `${output}.${process.pid}`;
  await build({
    entryPoints: Object.fromEntries(entries.map((name) => [fileOf(name), name])),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Names of classes and functions are part of what these packages compare.
    keepNames: true,
    // The packages among them that are CommonJS require Node.js's own modules.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    absWorkingDir: join(root, 'server'),
    logLevel: 'error',
  });
  const bundles = Object.fromEntries(entries.map((name) => [name, `${fileOf(name)}.mjs`]));
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ stamp, lock: hashOf(lock), bundles }, null, 2));
  rmSync(output, { recursive: true, force: true });
  renameSync(folder, output);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundlePackages();
