import type { Dependency } from '../dependency.ts';
import { type ManifestFormat, named } from './manifest-format.ts';
import { createLineIndex, entries, readYaml, text } from './structures.ts';

/** yarn.lock of version 1, in its own format, and of Berry, in YAML. */
export const yarnLock: ManifestFormat = {
  name: 'Yarn lockfile',
  matches: named('yarn.lock'),
  read: (content) => (/^__metadata:/m.test(content) ? readBerry(content) : readClassic(content)),
};

const ecosystem = 'npm';

function readBerry(content: string): Dependency[] {
  const lineOf = createLineIndex(content);
  return entries(readYaml(content), 'packages').flatMap(([key, details]) => {
    if (key === '__metadata') return [];
    const name = nameOf(text(details.resolution) ?? key);
    const version = details.version === undefined ? null : String(details.version);
    return name === null ? [] : [{ ecosystem, name, version, line: lineOf(key) }];
  });
}

/** `name@range, name@range:` on a line of its own, then indented `version "1.0.0"`. */
function readClassic(content: string): Dependency[] {
  const found: Dependency[] = [];
  let current: Dependency | null = null;
  for (const [index, line] of content.split('\n').entries()) {
    if (line.startsWith('#') || line.trim() === '') continue;
    if (!/^\s/.test(line)) {
      const name = nameOf(line.replace(/^"/, ''));
      if (name === null || !/:\r?$/.test(line))
        throw new Error(`Line ${index + 1} does not name a package in Yarn's format.`);
      current = { ecosystem, name, version: null, line: index + 1 };
      found.push(current);
    } else if (current) {
      const [, version] = /^ {2}"?version"?:? "?([^"\s]+)"?\s*$/.exec(line) ?? [];
      if (version !== undefined) current.version = version;
    }
  }
  return found;
}

/** Returns the name in `name@range`, and the real name of an alias (`own@npm:real@range`). */
function nameOf(descriptor: string): string | null {
  const [, own, alias] = /^(@?[^@\s,]+)@(?:npm:(@?[^@\s,"]+)@)?/.exec(descriptor) ?? [];
  return alias ?? own ?? null;
}
