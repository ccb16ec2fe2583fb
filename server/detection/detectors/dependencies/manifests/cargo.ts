import type { Dependency } from '../dependency.ts';
import { type ManifestFormat, named } from './manifest-format.ts';
import { createLineIndex, objects, readToml, text } from './structures.ts';

/** Cargo.lock. */
export const cargoLock: ManifestFormat = {
  name: 'Cargo lockfile',
  matches: named('Cargo.lock'),
  read(content) {
    const lineOf = createLineIndex(content);
    return objects(readToml(content).package).flatMap((entry): Dependency[] => {
      const name = text(entry.name);
      return name === null ? [] : [{ ecosystem: 'crates.io', name, version: text(entry.version), line: lineOf(name) }];
    });
  },
};
