import type { Dependency } from '../dependency.ts';
import { type ManifestFormat, named } from './manifest-format.ts';
import { createLineIndex, isObject, readJson } from './structures.ts';

/** bun.lock: JSON with comments and trailing commas. The older bun.lockb is binary and can't be read. */
export const bunLock: ManifestFormat = {
  name: 'Bun lockfile',
  matches: named('bun.lock'),
  read(content) {
    const lineOf = createLineIndex(content);
    const { packages } = readJson(withoutExtras(content));
    if (!isObject(packages)) throw new Error('It has no "packages".');
    return Object.entries(packages).flatMap(([key, details]): Dependency[] => {
      if (!Array.isArray(details)) throw new Error(`The package "${key.slice(0, 100)}" is not a list.`);
      const [, name, version] = /^(@?[^@]+)@(.+)$/.exec(String(details[0])) ?? [];
      if (name === undefined || version!.startsWith('workspace:')) return [];
      return [{ ecosystem: 'npm', name, version: /^\d/.test(version!) ? version! : null, line: lineOf(key) }];
    });
  },
};

/** Removes comments and trailing commas, outside strings. */
const withoutExtras = (content: string): string =>
  content
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string: string | undefined) => string ?? '')
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? '');
