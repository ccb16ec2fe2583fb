import type { Dependency } from '../dependency.ts';
import { type ManifestFormat, named } from './manifest-format.ts';
import { createLineIndex, type Json, list, object, readToml, text, versionOf } from './structures.ts';

/** The locks of Poetry, PDM and uv all list `[[package]]` with name and version. */
function createTomlFormat(
  name: string,
  matches: ManifestFormat['matches'],
  skips: (entry: Json) => boolean,
): ManifestFormat {
  return {
    name,
    matches,
    read(content) {
      const lineOf = createLineIndex(content);
      return list(readToml(content).package ?? [], 'package').flatMap((entry): Dependency[] => {
        const packageName = text(entry.name);
        if (packageName === null || skips(entry)) return [];
        return [{ ecosystem: 'PyPI', name: packageName, version: versionOf(entry), line: lineOf(packageName) }];
      });
    },
  };
}

export const poetryLock = createTomlFormat(
  'Poetry lockfile',
  named('poetry.lock'),
  ({ source }) => object(source).type === 'directory',
);
export const pdmLock = createTomlFormat('PDM lockfile', named('pdm.lock'), () => false);
/** The list also contains the project itself and its workspace. */
export const uvLock = createTomlFormat('uv lockfile', named('uv.lock'), ({ source }) => {
  const { virtual, editable, directory } = object(source);
  return virtual !== undefined || editable !== undefined || directory !== undefined;
});

/** PEP 751's pylock.toml, which lists `[[packages]]`. */
export const pylock: ManifestFormat = {
  name: 'Python lockfile',
  matches: (path) => /(?:^|\/)pylock(?:\.[^./]+)?\.toml$/.test(path),
  read(content) {
    const lineOf = createLineIndex(content);
    return list(readToml(content).packages, 'packages').flatMap((entry): Dependency[] => {
      const name = text(entry.name);
      return name === null || entry.directory !== undefined
        ? []
        : [{ ecosystem: 'PyPI', name, version: versionOf(entry), line: lineOf(name) }];
    });
  },
};
