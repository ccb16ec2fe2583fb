import type { Dependency } from '../dependency.ts';
import { type ManifestFormat, named } from './manifest-format.ts';
import { createNameIndex, list, readJson, text, versionOf } from './structures.ts';

/** composer.lock: packages and packages-dev. */
export const composerLock: ManifestFormat = {
  name: 'Composer lockfile',
  matches: named('composer.lock'),
  read(content) {
    const lock = readJson(content);
    const lineOf = createNameIndex(content);
    return [...list(lock.packages, 'packages'), ...list(lock['packages-dev'] ?? [], 'packages-dev')].flatMap(
      (entry): Dependency[] => {
        const name = text(entry.name);
        return name === null ? [] : [{ ecosystem: 'Packagist', name, version: versionOf(entry), line: lineOf(name) }];
      },
    );
  },
};
