import type { Dependency } from '../dependency.ts';
import { type ManifestFormat, named } from './manifest-format.ts';
import { createLineIndex, entries, readJson, versionOf } from './structures.ts';

/** Pipfile.lock: default and develop, each package pinned with `==`. Packages from other sources have no version. */
export const pipenvLock: ManifestFormat = {
  name: 'Pipenv lockfile',
  matches: named('Pipfile.lock'),
  read(content) {
    const lock = readJson(content);
    const lineOf = createLineIndex(content);
    const found = new Map<string, Dependency>();
    const groups = Object.entries(lock).filter(([group]) => group !== '_meta');
    for (const [name, details] of groups.flatMap(([group, packages]) => entries(packages, group))) {
      const version = versionOf(details)?.replace(/^===?/, '');
      if (version) found.set(`${name} ${version}`, { ecosystem: 'PyPI', name, version, line: lineOf(name) });
    }
    return [...found.values()];
  },
};
