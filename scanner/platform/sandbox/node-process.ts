import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFiles } from './paths.ts';

/** The folder of this package's sources. */
const ownSources = dirname(dirname(import.meta.dirname));

/** A folder of sources, and every `node_modules` from which it resolves packages. */
function sourceFolders(sources: string): string[] {
  const found = [sources];
  for (let folder = sources; folder !== dirname(folder); folder = dirname(folder)) {
    const packages = basename(folder) === 'node_modules' ? folder : join(folder, 'node_modules');
    if (existsSync(packages)) found.push(packages);
    // Node.js looks here for the type of a module. The file has no effect, but must not be inaccessible.
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) found.push(manifest);
  }
  return found;
}

const compileCache = () => (process.env.NODE_COMPILE_CACHE ? [process.env.NODE_COMPILE_CACHE] : []);

/** Returns the modules that this process loads before its program, such as the one that loads bundles, as options. */
const preloads = () => process.execArgv.filter((_, n, all) => all[n] === '--import' || all[n - 1] === '--import');

const preloaded = () => preloads().flatMap((url) => (url.startsWith('file:') ? [fileURLToPath(url)] : []));

const known = new Map<string, string[]>();

/** Returns the folders of modules: of this package, of the program in `sources` that uses it, and of their imports. */
function moduleFiles(sources: string): string[] {
  const found = known.get(sources) ?? [
    ...new Set([...[ownSources, sources].flatMap(sourceFolders), ...compileCache(), ...preloaded()]),
  ];
  known.set(sources, found);
  return found;
}

/**
 * Returns the paths that one of our own processes needs to run: sources, packages and Node.js, but never the data
 * directory. `sources` is the source folder of the program that uses this package, if it runs its own modules.
 */
export const nodeFiles = (sources = ownSources): string[] => [
  ...moduleFiles(sources),
  ...programFiles(process.execPath),
];

export type NodeNeeds = {
  /** The folder of the sources of the program that uses this package. */
  sources?: string;
  reads?: readonly string[];
  writes?: readonly string[];
  /** Native packages: the PDF compiler and the code parser. Node.js can't restrict them. */
  addons?: boolean;
};

/**
 * Returns the options with which Node.js itself refuses access that our process does not need: other files, programs,
 * worker threads, WASI and inspection. Node.js 24 can't restrict the network. It warns that native packages could do
 * anything; the sandbox around the process restricts them.
 */
export function nodePermissions({
  sources = ownSources,
  reads = [],
  writes = [],
  addons = false,
}: NodeNeeds): string[] {
  return [
    ...preloads(),
    '--permission',
    '--disable-warning=SecurityWarning',
    ...[...moduleFiles(sources), ...reads, ...writes].map((path) => `--allow-fs-read=${path}`),
    ...writes.map((path) => `--allow-fs-write=${path}`),
    ...(addons ? ['--allow-addons'] : []),
  ];
}
