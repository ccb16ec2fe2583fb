import { baseEcosystem } from '../../advisories/ecosystem.ts';
import type { Advisories } from '../../contract/advisory.ts';
import type { Manifest } from './dependency.ts';

/** Manifests with packages that could not be checked, and a warning for each ecosystem. */
export type Unchecked = { warnings: string[]; paths: string[] };

/** Finds the packages of ecosystems without any advisories: without findings, they would look safe. */
export async function findUnchecked(manifests: Manifest[], advisories: Advisories): Promise<Unchecked> {
  const used = new Map<string, Map<string, number>>();
  for (const { path, dependencies } of manifests) {
    for (const { ecosystem, version } of dependencies) {
      if (version === null) continue;
      const base = baseEcosystem(ecosystem);
      const paths = used.get(base) ?? new Map<string, number>();
      paths.set(path, (paths.get(path) ?? 0) + 1);
      used.set(base, paths);
    }
  }
  const unchecked: Unchecked = { warnings: [], paths: [] };
  for (const [ecosystem, paths] of used) {
    if (await advisories.exist(ecosystem)) continue;
    unchecked.warnings.push(describe(ecosystem, paths));
    unchecked.paths.push(...paths.keys());
  }
  return unchecked;
}

function describe(ecosystem: string, paths: Map<string, number>): string {
  const packages = [...paths.values()].reduce((sum, count) => sum + count, 0);
  const [first] = paths.keys();
  const others = paths.size > 1 ? ` and ${paths.size - 1} more` : '';
  const counted = packages === 1 ? '1 package was' : `${packages} packages were`;
  return `No advisories of ${ecosystem} are loaded: ${counted} not checked (${first}${others}). Load them with "assay advisories sync".`;
}
