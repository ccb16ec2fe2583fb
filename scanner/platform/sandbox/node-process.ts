import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFiles } from './paths.ts';

/** The folder of this package's sources. */
const ownSources = dirname(dirname(import.meta.dirname));

/** A folder of sources, and every `node_modules` in which it finds packages. */
function sourceFolders(sources: string): string[] {
  const found = [sources];
  for (let folder = sources; folder !== dirname(folder); folder = dirname(folder)) {
    const packages = basename(folder) === 'node_modules' ? folder : join(folder, 'node_modules');
    if (existsSync(packages)) found.push(packages);
    // Node.js looks there for the type of a module; it decides nothing, and must not be in the way.
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

/** Returns the places of modules: of this package, of the program in `sources` that uses it, and of what they import. */
function moduleFiles(sources: string): string[] {
  const found = known.get(sources) ?? [
    ...new Set([...[ownSources, sources].flatMap(sourceFolders), ...compileCache(), ...preloaded()]),
  ];
  known.set(sources, found);
  return found;
}

/**
 * Returns what a process of our own reads to run: sources, packages and Node.js, and never the data directory. `sources` is the
 * folder of those of the program that uses this package, if it runs modules of its own.
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
  /** Native packages: the compiler of PDFs, the parser of code. What they do, Node.js can't check. */
  addons?: boolean;
};

/**
 * Returns the options that let Node.js itself refuse what a process of ours does not need: other files, programs, worker
 * threads, WASI and inspection. Node.js 24 can't restrict the network. It warns that native packages could do anything,
 * which the confinement around the process is for.
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
