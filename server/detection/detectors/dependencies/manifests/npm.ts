import type { Dependency } from '../dependency.ts';
import { type ManifestFormat, named } from './manifest-format.ts';
import { createLineIndex, entries, type Json, object, readJson, text } from './structures.ts';

/** npm's package-lock.json in all three versions, and npm-shrinkwrap.json, which is the same. */
export const npmLock: ManifestFormat = {
  name: 'npm lockfile',
  matches: named('package-lock.json', 'npm-shrinkwrap.json', '.package-lock.json'),
  read(content) {
    const lock = readJson(content);
    const lineOf = createLineIndex(content);
    return lock.packages === undefined ? readTree(lock, lineOf) : readPackages(object(lock.packages), lineOf);
  },
};

type LineOf = (key: string) => number | null;
const ecosystem = 'npm';

/** Versions 2 and 3: keyed by the folder that the package stands in. */
function readPackages(packages: Json, lineOf: LineOf): Dependency[] {
  return entries(packages).flatMap(([folder, details]) => {
    // The project itself, and links to the workspaces, which stand in the list too.
    if (folder === '' || details.link === true) return [];
    const name =
      text(details.name) ?? folder.slice(Math.max(0, folder.lastIndexOf('node_modules/') + 'node_modules/'.length));
    const isInstalled = folder.includes('node_modules/');
    const plainName = isInstalled || text(details.name) ? name : folder.slice(folder.lastIndexOf('/') + 1);
    return [{ ecosystem, name: plainName, version: text(details.version), line: lineOf(folder) }];
  });
}

/** Version 1: a tree. An alias is `npm:name@version`; a URL, a folder or a commit is no version. */
function readTree(lock: Json, lineOf: LineOf): Dependency[] {
  const found: Dependency[] = [];
  const pending: Json[] = [object(lock.dependencies)];
  for (let level = pending.pop(); level; level = pending.pop()) {
    for (const [key, details] of entries(level)) {
      const version = text(details.version);
      const [, alias, aliased] = /^npm:(@?[^@]+)@(.+)$/.exec(version ?? '') ?? [];
      const plain = aliased ?? (version !== null && /^v?\d/.test(version) ? version : null);
      found.push({ ecosystem, name: alias ?? key, version: plain, line: lineOf(key) });
      if (details.dependencies !== undefined) pending.push(object(details.dependencies));
    }
  }
  return found;
}
