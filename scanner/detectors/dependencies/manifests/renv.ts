import type { Dependency } from '../dependency.ts';
import { type ManifestFormat, named } from './manifest-format.ts';
import { createLineIndex, entries, readJson, text } from './structures.ts';

/** Repositories with CRAN's packages. Posit's mirrors have the same packages. */
const mirrors = new Set(['CRAN', 'RSPM', 'PPM', 'P3M']);

/** renv.lock of R. OSV has only packages from CRAN. */
export const renvLock: ManifestFormat = {
  name: 'renv lockfile',
  matches: named('renv.lock'),
  read(content) {
    const lineOf = createLineIndex(content);
    return entries(readJson(content).Packages, 'Packages').flatMap(([key, details]): Dependency[] =>
      mirrors.has(String(details.Repository))
        ? [{ ecosystem: 'CRAN', name: text(details.Package) ?? key, version: text(details.Version), line: lineOf(key) }]
        : [],
    );
  },
};
