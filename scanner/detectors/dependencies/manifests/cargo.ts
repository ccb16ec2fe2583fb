import type { Dependency } from '../dependency.ts';
import { type ManifestFormat, named } from './manifest-format.ts';
import { createLineIndex, list, readToml, text, versionOf } from './structures.ts';

/** Cargo.lock. */
export const cargoLock: ManifestFormat = {
  name: 'Cargo lockfile',
  matches: named('Cargo.lock'),
  read(content) {
    const lineOf = createLineIndex(content);
    return list(readToml(content).package ?? [], 'package').flatMap((entry): Dependency[] => {
      const name = text(entry.name);
      return name === null ? [] : [{ ecosystem: 'crates.io', name, version: versionOf(entry), line: lineOf(name) }];
    });
  },
};
