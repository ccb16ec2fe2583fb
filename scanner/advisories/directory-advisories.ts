import { join } from 'node:path';
import type { Advisories, Advisory } from '../contract/advisory.ts';
import { baseEcosystem, normaliseName } from './ecosystem.ts';
import { directoryFeed } from './feed.ts';
import { readAdvisory } from './read-advisory.ts';
import { readArchive } from './read-archive.ts';

/**
 * Reads advisories directly from the archives of a directory, for scans without a database. Slow; keeps only the
 * requested ones in memory.
 */
export function directoryAdvisories(directory: string): Advisories {
  const list = async () => (await directoryFeed(directory).listEcosystems()) ?? [];
  return {
    async exist(ecosystem) {
      const ecosystems = await list();
      return ecosystem === undefined ? ecosystems.length > 0 : ecosystems.includes(baseEcosystem(ecosystem));
    },
    async find(ecosystem, names) {
      const base = baseEcosystem(ecosystem);
      if (names.length === 0 || !(await list()).includes(base)) return [];
      const wanted = new Set(names);
      const found: Advisory[] = [];
      for await (const { text } of readArchive(join(directory, base, 'all.zip'))) {
        const advisory = tryRead(text);
        const isOn = ({ ecosystem: one, name }: Advisory['affected'][number]) =>
          baseEcosystem(one) === base && wanted.has(normaliseName(base, name));
        if (advisory?.affected.some(isOn)) found.push(advisory);
      }
      return found;
    },
  };
}

function tryRead(text: string | null): Advisory | null {
  try {
    return text === null ? null : readAdvisory(text);
  } catch {
    return null;
  }
}
