import { createHash } from 'node:crypto';
import { compareTexts } from '../../advisories/versions/compare.ts';
import type { Dependency, Manifest } from '../../detectors/dependencies/dependency.ts';
import { bomProperties } from '../../detectors/dependencies/own-bom.ts';
import { readPackageUrl, toPackageUrl } from '../../detectors/dependencies/package-url.ts';
import type { ScanReportFormat } from './scan-report.ts';

type Property = { name: string; value: string };
type Component = {
  type: 'library';
  'bom-ref': string;
  name: string;
  version?: string;
  purl?: string;
  properties?: Property[];
};
type Occurrence = { location: string; line?: number };

/**
 * Writes the packages that `dependencies` found as a CycloneDX 1.6 SBOM: each once, with the manifests that contain it.
 * Its properties (own-bom.ts) contain the rest, so that an import has the same result as a scan by the server.
 */
export const formatCyclonedx: ScanReportFormat = (report) => {
  const { manifests, partial, uncovered } = report.packages ?? notRead;
  const properties: Property[] = [
    ...partial.map((value) => ({ name: bomProperties.partial, value })),
    ...uncovered.map((value) => ({ name: bomProperties.uncovered, value })),
  ];
  const body = {
    metadata: {
      timestamp: `${report.at.toISOString().slice(0, 19)}Z`,
      tools: { components: [{ type: 'application', name: 'Assay', version: report.version }] },
      component: { type: 'application', 'bom-ref': 'scanned', name: report.target.name },
      ...(properties.length > 0 && { properties }),
    },
    components: listComponents(manifests),
    ...(properties.length > 0 && { compositions: [{ aggregate: 'incomplete', assemblies: ['scanned'] }] }),
  };
  const head = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
  };
  return JSON.stringify({ ...head, serialNumber: serialOf(body), version: 1, ...body }, null, 2);
};

/** Stands for the packages in a scan of other sources only. */
const notRead = { manifests: [], partial: ['No manifests were read.'], uncovered: [] };

function listComponents(manifests: Manifest[]) {
  const found = new Map<string, { component: Component; occurrences: Occurrence[] }>();
  const references = new Set<string>();
  for (const { path, dependencies } of manifests) {
    for (const dependency of dependencies) {
      const { ecosystem, name, version, line } = dependency;
      // Manifests spell one package in several ways, which its URL does not preserve.
      const key = JSON.stringify([ecosystem, name, version]);
      const known = found.get(key) ?? { component: toComponent(dependency, references), occurrences: [] };
      const location = dependency.includedFrom ?? path;
      if (!known.occurrences.some((place) => place.location === location && place.line === (line ?? undefined))) {
        known.occurrences.push({ location, ...(line !== null && { line }) });
      }
      found.set(key, known);
    }
  }
  return [...found.values()]
    .sort((a, b) => compareTexts(a.component['bom-ref'], b.component['bom-ref']))
    .map(({ component, occurrences }) => ({ ...component, evidence: { occurrences } }));
}

function toComponent(dependency: Dependency, references: Set<string>): Component {
  const { ecosystem, name, version } = dependency;
  const purl = toPackageUrl(dependency);
  const isTold = purl !== null && readPackageUrl(purl, null)?.ecosystem === ecosystem;
  const plain = purl ?? `${ecosystem}/${name}@${version ?? ''}`;
  let reference = plain;
  for (let number = 2; references.has(reference); number++) reference = `${plain}#${number}`;
  references.add(reference);
  return {
    type: 'library',
    'bom-ref': reference,
    name,
    ...(version !== null && { version }),
    ...(purl !== null && { purl }),
    ...(!isTold && { properties: [{ name: bomProperties.ecosystem, value: ecosystem }] }),
  };
}

/** The same packages at the same time produce the same document. */
function serialOf(body: object): string {
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  const variant = '89ab'[Number.parseInt(digest[16]!, 16) % 4];
  return `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
