import type { Dependency } from '../dependency.ts';
import { type ManifestFormat, named } from './manifest-format.ts';
import {
  createLineIndex,
  entries,
  isObject,
  type Json,
  object,
  readJson,
  readYaml,
  text,
  versionOf,
} from './structures.ts';

/** bun.lock: JSON with comments and trailing commas. The older bun.lockb is binary and can't be read. */
export const bunLock: ManifestFormat = {
  name: 'Bun lockfile',
  matches: named('bun.lock'),
  read(content) {
    const lineOf = createLineIndex(content);
    const { packages } = readJson(withoutExtras(content));
    if (!isObject(packages)) throw new Error('It has no "packages".');
    return Object.entries(packages).flatMap(([key, details]): Dependency[] => {
      if (!Array.isArray(details)) throw new Error(`The package "${key.slice(0, 100)}" is not a list.`);
      const [, name, version] = /^(@?[^@]+)@(.+)$/.exec(String(details[0])) ?? [];
      if (name === undefined || version!.startsWith('workspace:')) return [];
      return [{ ecosystem: 'npm', name, version: /^\d/.test(version!) ? version! : null, line: lineOf(key) }];
    });
  },
};

/** Removes comments and trailing commas, outside strings. */
const withoutExtras = (content: string): string =>
  content
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string: string | undefined) => string ?? '')
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? '');

/** pnpm-lock.yaml in every version up to 9. */
export const pnpmLock: ManifestFormat = {
  name: 'pnpm lockfile',
  matches: named('pnpm-lock.yaml'),
  read(content) {
    const lock = readYaml(content);
    const version = Number.parseFloat(String(lock.lockfileVersion ?? ''));
    if (Number.isNaN(version)) throw new Error('It has no "lockfileVersion".');
    const lineOf = createLineIndex(content);
    return entries(lock.packages ?? {}, 'packages').map(([key, details]) => {
      const named = text(details.name);
      const [name, fromKey] = splitKey(key, version, named);
      // For a repository or an archive, the key is a URL, and the entry contains the version.
      const resolved = text(details.version) ?? fromKey;
      const isRegistry = object(details.resolution).integrity !== undefined || text(details.version) !== null;
      return {
        ecosystem: 'npm',
        name,
        version: isRegistry || /^\d/.test(resolved) ? resolved : null,
        line: lineOf(key),
      };
    });
  },
};

/** `/name/1.0.0_peers` up to version 5, `/name@1.0.0(peers)` in 6, `name@1.0.0` in 9; the peers are ignored. */
function splitKey(key: string, lockfileVersion: number, named: string | null): [name: string, version: string] {
  if (lockfileVersion < 6) {
    const match = /^(?:\/|[^/@]+\.[^/]+\/)?((?:@[^/]+\/)?[^/]+)\/([^_/(]+)/.exec(key);
    if (match) return [named ?? match[1]!, match[2]!];
  } else {
    const match = /^\/?((?:@[^/@]+\/)?[^@/]+)@([^(]+)/.exec(key);
    if (match) return [named ?? match[1]!, match[2]!];
  }
  if (named) return [named, ''];
  throw new Error(`The package "${key.slice(0, 100)}" has no name in pnpm's format.`);
}

/** yarn.lock of version 1, in its own format, and of Berry, in YAML. */
export const yarnLock: ManifestFormat = {
  name: 'Yarn lockfile',
  matches: named('yarn.lock'),
  read: (content) => (/^__metadata:/m.test(content) ? readBerry(content) : readClassic(content)),
};

function readBerry(content: string): Dependency[] {
  const lineOf = createLineIndex(content);
  return entries(readYaml(content), 'packages').flatMap(([key, details]) => {
    if (key === '__metadata') return [];
    const name = nameOf(text(details.resolution) ?? key);
    const version = details.version === undefined ? null : String(details.version);
    return name === null ? [] : [{ ecosystem, name, version, line: lineOf(key) }];
  });
}

/** `name@range, name@range:` on a separate line, then indented `version "1.0.0"`. */
function readClassic(content: string): Dependency[] {
  const found: Dependency[] = [];
  let current: Dependency | null = null;
  for (const [index, line] of content.split('\n').entries()) {
    if (line.startsWith('#') || line.trim() === '') continue;
    if (!/^\s/.test(line)) {
      const name = nameOf(line.replace(/^"/, ''));
      if (name === null || !/:\r?$/.test(line))
        throw new Error(`Line ${index + 1} does not name a package in Yarn's format.`);
      current = { ecosystem, name, version: null, line: index + 1 };
      found.push(current);
    } else if (current) {
      const [, version] = /^ {2}"?version"?:? "?([^"\s]+)"?\s*$/.exec(line) ?? [];
      if (version !== undefined) current.version = version;
    }
  }
  return found;
}

/** Returns the name in `name@range`, and the real name of an alias (`own@npm:real@range`). */
function nameOf(descriptor: string): string | null {
  const [, own, alias] = /^(@?[^@\s,]+)@(?:npm:(@?[^@\s,"]+)@)?/.exec(descriptor) ?? [];
  return alias ?? own ?? null;
}

/** npm's package-lock.json in all three versions, and npm-shrinkwrap.json in the same format. */
export const npmLock: ManifestFormat = {
  name: 'npm lockfile',
  matches: named('package-lock.json', 'npm-shrinkwrap.json', '.package-lock.json'),
  read(content) {
    const lock = readJson(content);
    const lineOf = createLineIndex(content);
    const found = lock.packages === undefined ? readTree(lock, lineOf) : readPackages(lock.packages, lineOf);
    const distinct = new Map<string, Dependency>();
    for (const { key, dependency } of found) if (!distinct.has(key)) distinct.set(key, dependency);
    return [...distinct.values()];
  },
};

type LineOf = (key: string) => number | null;
/** Merges a package that several folders contain at the same version, or the same commit. */
type Found = { key: string; dependency: Dependency };

const ecosystem = 'npm';

const toFound = (dependency: Dependency, address: unknown): Found => {
  const commit = /#[0-9a-f]{7,}$/.exec(String(address ?? ''))?.[0] ?? '';
  return { key: `${dependency.name} ${dependency.version} ${commit}`, dependency };
};

/** Versions 2 and 3: keyed by the package's folder. */
function readPackages(packages: unknown, lineOf: LineOf): Found[] {
  return entries(packages, 'packages').flatMap(([folder, details]) => {
    // Skips the project itself and links to workspaces, which are also in the list.
    if (folder === '' || details.link === true) return [];
    const name =
      text(details.name) ?? folder.slice(Math.max(0, folder.lastIndexOf('node_modules/') + 'node_modules/'.length));
    const isInstalled = folder.includes('node_modules/');
    const plainName = isInstalled || text(details.name) ? name : folder.slice(folder.lastIndexOf('/') + 1);
    const version = versionOf(details);
    return [toFound({ ecosystem, name: plainName, version, line: lineOf(folder) }, details.resolved)];
  });
}

/**
 * Version 1: a tree, which is missing if there are no packages. An alias is `npm:name@version`; a URL, a folder or a
 * commit is not a version.
 */
function readTree(lock: Json, lineOf: LineOf): Found[] {
  const found: Found[] = [];
  const isEmpty = lock.dependencies === undefined && lock.lockfileVersion === 1;
  const pending: unknown[] = isEmpty ? [] : [lock.dependencies];
  while (pending.length > 0) {
    for (const [key, details] of entries(pending.pop(), 'dependencies')) {
      const version = versionOf(details);
      const [, alias, aliased] = /^npm:(@?[^@]+)@(.+)$/.exec(version ?? '') ?? [];
      const plain = aliased ?? (version !== null && /^v?\d/.test(version) ? version : null);
      found.push(toFound({ ecosystem, name: alias ?? key, version: plain, line: lineOf(key) }, version));
      if (details.dependencies !== undefined) pending.push(details.dependencies);
    }
  }
  return found;
}
