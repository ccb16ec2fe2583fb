import type { Dependency } from '../dependency.ts';
import { type ManifestFormat, named } from './manifest-format.ts';

/** mix.lock of Elixir: an entry on each line, from Hex or from a repository. */
export const mixLock: ManifestFormat = {
  name: 'Mix lockfile',
  matches: named('mix.lock'),
  read(content) {
    if (!/^[\s\uFEFF]*%\{/.test(content)) throw new Error('It does not begin with "%{".');
    return content.split('\n').flatMap((line, index): Dependency[] => {
      const [, key, kind, name, version] =
        /^\s*"([^"]+)":\s*\{:(\w+),\s*(?::"?([\w-]+)"?|"[^"]*"),\s*"([^"]*)"/.exec(line) ?? [];
      if (key === undefined) return [];
      const isHex = kind === 'hex';
      return [{ ecosystem: 'Hex', name: (isHex && name) || key, version: isHex ? version! : null, line: index + 1 }];
    });
  },
};
