// Makes a few files of the server's packages that have hundreds of modules each, since Node.js takes as long to find and
// link these as to run them, and of the programs that it starts without the permission to write: Node.js keeps nothing
// compiled for them. Plain JavaScript for the machine's own Node.js.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root } from './node.mjs';

/** Where server/processes/bundled-packages.mjs looks for them. */
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
 * Returns the entries of these packages that sources in a tree import: whatever they share is then in one bundle. An
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

/** A plugin that leaves modules where they look for files beside them, and packages where they are. */
const inPlace = {
  name: 'in place',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const values = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
      const text = readFileSync(path, 'utf8');
      const contents = text.replace(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, name) =>
        JSON.stringify(values[name]),
      );
      return { contents, loader: 'ts' };
    });
    build.onResolve({ filter: /^[@\w]/ }, async ({ path, pluginData, ...options }) => {
      if (pluginData === inPlace || options.kind === 'entry-point' || /^(node:|typebox\b|@assay\/)/.test(path))
        return undefined;
      const found = await build.resolve(path, { ...options, pluginData: inPlace });
      return found.path.startsWith('/') ? { path: pathToFileURL(found.path).href, external: true } : found;
    });
  },
};

const options = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // Names of classes and functions are part of what packages compare.
  keepNames: true,
  // Some packages are installed beside the server's sources.
  absWorkingDir: join(root, 'server'),
  logLevel: 'error',
};

const fileOf = (name) => `${name.replaceAll('/', '+').replace(/\.ts$/, '')}`;
const entriesOf = (names) => Object.fromEntries(names.map((name) => [fileOf(name), name]));

/** Returns for each program the sources that it is made of, with their hash. */
async function bundlePrograms(build, folder) {
  const { metafile } = await build({
    ...options,
    absWorkingDir: root,
    entryPoints: entriesOf(programs),
    outdir: folder,
    plugins: [inPlace],
    metafile: true,
  });
  const outputs = Object.entries(metafile.outputs);
  const inputsOf = (path, seen = new Set()) => {
    if (seen.has(path)) return [];
    seen.add(path);
    const { inputs, imports } = metafile.outputs[path];
    return [
      ...Object.keys(inputs),
      ...imports.flatMap(({ path: other, external }) => (external ? [] : inputsOf(other, seen))),
    ];
  };
  return Object.fromEntries(
    programs.map((name) => {
      const [path] = outputs.find(([, { entryPoint }]) => entryPoint === name);
      const sources = [...new Set(inputsOf(path))].filter((input) => input.endsWith('.ts')).sort();
      return [
        name,
        {
          file: `programs/${fileOf(name)}.mjs`,
          sources,
          hash: hashOf(...sources.map((input) => readFileSync(join(root, input), 'utf8'))),
        },
      ];
    }),
  );
}

/** Returns whether the programs' sources are those that their bundles were made of. */
const currentPrograms = ({ programs: made }) =>
  Object.values(made ?? {}).every(
    ({ sources, hash }) =>
      sources.every((path) => existsSync(join(root, path))) &&
      hashOf(...sources.map((path) => readFileSync(join(root, path), 'utf8'))) === hash,
  );

/** Bundles packages and programs unless that was done for the same versions, imports and sources. */
export async function bundlePackages() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const entries = findEntries();
  const stamp = hashOf(root, lock, entries.join(), readFileSync(fileURLToPath(import.meta.url)));
  const index = existsSync(indexFile) ? JSON.parse(readFileSync(indexFile, 'utf8')) : {};
  if (index.stamp === stamp && currentPrograms(index)) return;
  const { build } = await import('esbuild');
  // The new folder replaces the old one only when it is complete.
  const folder = `${output}.${process.pid}`;
  await build({
    ...options,
    entryPoints: entriesOf(entries),
    outdir: folder,
    // The packages among them that are CommonJS require Node.js's own modules.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  });
  const made = await bundlePrograms(build, join(folder, 'programs'));
  const packages = Object.fromEntries(entries.map((name) => [name, `${fileOf(name)}.mjs`]));
  const content = { stamp, root, lock: hashOf(lock), packages, programs: made };
  writeFileSync(join(folder, 'index.json'), JSON.stringify(content));
  rmSync(output, { recursive: true, force: true });
  renameSync(folder, output);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundlePackages();
