import type { Dependency } from '../dependency.ts';
import { type ManifestFormat, named } from './manifest-format.ts';

const heading = /^(?:GEM|GIT|PATH|PLUGIN SOURCE|PLATFORMS|DEPENDENCIES)\s*$/m;
const sections = new Set(['GEM', 'GIT', 'PATH', 'PLUGIN SOURCE']);

/** Gemfile.lock: the `specs` of each source; a platform after the version (`1.13.6-x86_64-linux`) is not part of it. */
export const gemfileLock: ManifestFormat = {
  name: 'Bundler lockfile',
  matches: named('Gemfile.lock', 'gems.locked'),
  read(content) {
    if (!heading.test(content)) throw new Error('It has none of the sections of a Bundler lockfile.');
    const found = new Map<string, Dependency>();
    let isSource = false;
    for (const [index, line] of content.split(/\r?\n/).entries()) {
      if (/^\S/.test(line)) isSource = sections.has(line.trim());
      const [, name, version] = (isSource && /^ {4}([^\s(]+) \(([^\s)]+)\)$/.exec(line)) || [];
      if (name === undefined) continue;
      const plain = version!.replace(/-(?![0-9.]+$).*$/, '');
      found.set(`${name} ${plain}`, { ecosystem: 'RubyGems', name, version: plain, line: index + 1 });
    }
    return [...found.values()];
  },
};
