import type { Dependency } from '../dependency.ts';
import { type ManifestFormat, named } from './manifest-format.ts';
import { createLineIndex, entries, type Json, readJson, text, versionOf } from './structures.ts';

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
    // The project itself, and links to workspaces, which are also in the list.
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
 * Version 1: a tree, which is missing when there are no packages. An alias is `npm:name@version`; a URL, a folder or a
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
