// Bundles the server's packages that have hundreds of modules each, since Node.js takes as long to find and link
// these as to run them. Also bundles the programs that the server starts without write permission, for which Node.js
// stores no compiled code. Plain JavaScript for the machine's own Node.js.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root } from './node.mjs';

/** The folder where server/processes/bundled-packages.mjs looks for bundles. */
const output = join(root, 'node_modules', '.cache', 'bundled');
const indexFile = join(output, 'index.json');

/** Programs that run confined (scanner/platform/sandbox/node-process.ts). */
const programs = [
  'server/processes/import-process.ts',
  'server/reports/exports/render-process.ts',
  'scanner/detectors/code/checker-process.ts',
];

const imported = /(?:from|import\()\s*'((?:typebox|better-auth|@better-auth\/[\w-]+)(?:\/[\w/-]+)?)'/g;

/**
 * Returns the entries of these packages that the sources of a tree import, so that shared code is in one bundle. An
 * image is built without tests and benchmarks.
 */
export function findEntries(tree = root) {
  const folders = ['server', 'tests', 'bench', 'scripts'].filter((folder) => existsSync(join(tree, folder)));
  const files = folders.flatMap((folder) =>
    readdirSync(join(tree, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|mjs)$/.test(path) && !path.includes('node_modules'))
      .map((path) => join(tree, folder, path)),
  );
  const names = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(imported)].map(([, name]) => name));
  return [...new Set(names)].sort();
}

const hashOf = (...texts) => createHash('sha256').update(texts.join('\0')).digest('hex');

/** A plugin that keeps the paths of modules that look for files beside them, and the location of packages. */
const inPlace = {
  name: 'in place',
  load: {
    filter: { id: /\.ts$/ },
    handler(path) {
      const values = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
      const text = readFileSync(path, 'utf8');
      return text.replace(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, name) => JSON.stringify(values[name]));
    },
  },
  resolveId: {
    filter: { id: /^(?!node:|typebox\b|@assay\/)[@\w]/ },
    async handler(name, importer) {
      if (importer === undefined) return undefined;
      const { id } = await this.resolve(name, importer, { skipSelf: true });
      return { id: id.startsWith('/') ? pathToFileURL(id).href : id, external: true };
    },
  },
};

const fileOf = (name) => `${name.replaceAll('/', '+').replace(/\.ts$/, '')}`;
const entriesOf = (names) => Object.fromEntries(names.map((name) => [fileOf(name), name]));

/** Writes bundles of these entries, with shared code in common files, and returns them. */
async function bundle(entries, { cwd, folder, plugins }) {
  const { build } = await import('rolldown');
  const { output } = await build({
    cwd,
    input: entriesOf(entries),
    platform: 'node',
    plugins,
    logLevel: 'silent',
    output: {
      dir: folder,
      entryFileNames: '[name].mjs',
      chunkFileNames: 'chunk-[hash].mjs',
      sanitizeFileName: false,
      // Packages compare names of classes and functions.
      keepNames: true,
    },
  });
  return output.filter(({ type }) => type === 'chunk');
}

/** Returns the sources of each program, with their hash. */
async function bundlePrograms(folder) {
  const chunks = await bundle(programs, { cwd: root, folder, plugins: [inPlace] });
  const chunkOf = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const modulesOf = (fileName, seen = new Set()) => {
    const chunk = chunkOf.get(fileName);
    if (!chunk || seen.has(fileName)) return [];
    seen.add(fileName);
    return [
      ...chunk.moduleIds,
      ...[...chunk.imports, ...chunk.dynamicImports].flatMap((name) => modulesOf(name, seen)),
    ];
  };
  return Object.fromEntries(
    programs.map((name) => {
      const file = `${fileOf(name)}.mjs`;
      const sources = [...new Set(modulesOf(file))]
        .filter((path) => path.endsWith('.ts'))
        .map((path) => relative(root, path))
        .sort();
      const texts = sources.map((path) => readFileSync(join(root, path), 'utf8'));
      return [name, { file: `programs/${file}`, sources, hash: hashOf(...texts) }];
    }),
  );
}

/** Returns whether the bundles were built from the programs' current sources. */
const currentPrograms = ({ programs: made }) =>
  Object.values(made ?? {}).every(
    ({ sources, hash }) =>
      sources.every((path) => existsSync(join(root, path))) &&
      hashOf(...sources.map((path) => readFileSync(join(root, path), 'utf8'))) === hash,
  );

/** Bundles packages and programs, unless there are bundles for the same versions, imports and sources. */
export async function bundlePackages() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const entries = findEntries();
  const stamp = hashOf(root, lock, entries.join(), readFileSync(fileURLToPath(import.meta.url)));
  const index = existsSync(indexFile) ? JSON.parse(readFileSync(indexFile, 'utf8')) : {};
  if (index.stamp === stamp && currentPrograms(index)) return;
  // The new folder replaces the old one only when it is complete.
  const folder = `${output}.${process.pid}`;
  // Some packages are installed beside the server's sources.
  await bundle(entries, { cwd: join(root, 'server'), folder });
  const made = await bundlePrograms(join(folder, 'programs'));
  const packages = Object.fromEntries(entries.map((name) => [name, `${fileOf(name)}.mjs`]));
  const content = { stamp, root, lock: hashOf(lock), packages, programs: made };
  writeFileSync(join(folder, 'index.json'), JSON.stringify(content));
  rmSync(output, { recursive: true, force: true });
  renameSync(folder, output);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundlePackages();
