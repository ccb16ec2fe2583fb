import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FeedLocations } from '../../server/detection/services.ts';
import { AdvisoryDirectory, osvAdvisory } from '../harness/advisories.ts';

const advisoryCount = 3_000;

/** Writes feeds of advisories and of facts on exploitation, a few of which concern the findings of the dataset. */
export function writeFeeds(): { locations: FeedLocations; remove(): void } {
  const numbers = Array.from({ length: advisoryCount }, (_, number) => number);
  const advisories = new AdvisoryDirectory();
  advisories.put(
    'npm',
    numbers.map((number) =>
      osvAdvisory(`GHSA-${number}`, 'npm', number === 0 ? 'minimist' : `package-${number}`, '9.0.0', {
        aliases: [`CVE-2020-${10_000 + number}`],
      }),
    ),
  );
  const epss = join(advisories.directory, 'epss.csv.gz');
  const scores = numbers.map((number) => `CVE-${number < 5 ? 2024 : 2020}-${10_000 + number},0.5,0.9`);
  writeFileSync(epss, gzipSync(['cve,epss,percentile', ...scores].join('\n')));
  const kev = join(advisories.directory, 'kev.json');
  writeFileSync(kev, JSON.stringify({ vulnerabilities: [{ cveID: 'CVE-2024-10001', dateAdded: '2026-01-01' }] }));
  return {
    locations: { advisories: advisories.directory, epss, kev },
    remove: () => advisories.remove(),
  };
}
