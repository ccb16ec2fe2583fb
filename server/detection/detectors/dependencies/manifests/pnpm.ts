import { type ManifestFormat, named } from './manifest-format.ts';
import { createLineIndex, entries, object, readYaml, text } from './structures.ts';

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

/** `/name/1.0.0_peers` to version 5, `/name@1.0.0(peers)` in 6, `name@1.0.0` in 9; the peers are ignored. */
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
