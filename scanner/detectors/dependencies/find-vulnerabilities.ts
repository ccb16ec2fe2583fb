import { baseEcosystem, normaliseName } from '../../advisories/ecosystem.ts';
import type { Advisories, Advisory } from '../../contract/advisory.ts';
import type { Detection } from '../../contract/detection.ts';
import type { Dependency, Manifest } from './dependency.ts';
import { findMatches, type Match } from './match.ts';
import { toDetection, withPlaceOf } from './to-detection.ts';

/**
 * Finds every known vulnerability of the packages in manifests: one finding per package, manifest and vulnerability,
 * with the affected versions as its places.
 */
export async function* findVulnerabilities(manifests: Manifest[], advisories: Advisories): AsyncGenerator<Detection> {
  const reported = new Set<string>();
  const all = manifests.flatMap(({ dependencies }) => dependencies);
  for (const [ecosystem, dependencies] of groupByEcosystem(all)) {
    const names = [...new Set(dependencies.map(({ name }) => normaliseName(ecosystem, name)))];
    const byName = indexByName(ecosystem, await advisories.find(ecosystem, names));
    const known = new Map<string, Match[]>();
    const matchesOf = (dependency: Dependency): Match[] => {
      const name = normaliseName(ecosystem, dependency.name);
      const candidates = byName.get(name);
      if (!candidates) return [];
      const key = `${dependency.ecosystem}\0${name}\0${dependency.version}`;
      if (!known.has(key)) known.set(key, findMatches(dependency, candidates));
      return known.get(key)!;
    };
    for (const { path, dependencies: inManifest } of manifests) {
      const found = new Map<string, Detection>();
      for (const dependency of inManifest) {
        if (baseEcosystem(dependency.ecosystem) !== ecosystem) continue;
        for (const match of matchesOf(dependency)) {
          const detection = toDetection(dependency, dependency.includedFrom ?? path, match);
          const known = found.get(detection.fingerprint);
          found.set(detection.fingerprint, known ? withPlaceOf(known, detection) : detection);
        }
      }
      for (const [fingerprint, detection] of found) {
        // A file that is included by several manifests, or is a manifest itself, is reported once.
        if (reported.has(fingerprint)) continue;
        reported.add(fingerprint);
        yield detection;
      }
    }
  }
}

function groupByEcosystem(dependencies: Dependency[]): Map<string, Dependency[]> {
  return Map.groupBy(
    dependencies.filter(({ version }) => version !== null),
    ({ ecosystem }) => baseEcosystem(ecosystem),
  );
}

function indexByName(ecosystem: string, advisories: Advisory[]): Map<string, Advisory[]> {
  const byName = new Map<string, Advisory[]>();
  for (const advisory of advisories) {
    const names = new Set(
      advisory.affected
        .filter((affected) => baseEcosystem(affected.ecosystem) === ecosystem)
        .map(({ name }) => normaliseName(ecosystem, name)),
    );
    for (const name of names) {
      const others = byName.get(name);
      if (others) others.push(advisory);
      else byName.set(name, [advisory]);
    }
  }
  return byName;
}
