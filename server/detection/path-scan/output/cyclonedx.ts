import { createHash } from 'node:crypto';
import { compareTexts } from '../../advisories/versions/compare.ts';
import { toPackageUrl } from '../../detectors/dependencies/package-url.ts';
import type { ScanReport, ScanReportFormat } from './scan-report.ts';

type Component = { type: 'library'; 'bom-ref': string; name: string; version?: string; purl: string };
type Occurrence = { location: string; line?: number };

/**
 * Writes the packages that `dependencies` found as a CycloneDX 1.6 SBOM: each once, with the manifests that name it.
 */
export const formatCyclonedx: ScanReportFormat = (report) => {
  const components = listComponents(report);
  const body = {
    metadata: {
      timestamp: `${report.at.toISOString().slice(0, 19)}Z`,
      tools: { components: [{ type: 'application', name: 'Assay', version: report.version }] },
      component: { type: 'application', 'bom-ref': 'scanned', name: report.target.name },
    },
    components,
  };
  const head = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
  };
  return JSON.stringify({ ...head, serialNumber: serialOf(body), version: 1, ...body }, null, 2);
};

function listComponents({ manifests = [] }: ScanReport) {
  const found = new Map<string, { component: Component; occurrences: Occurrence[] }>();
  for (const { path, dependencies } of manifests) {
    for (const dependency of dependencies) {
      const purl = toPackageUrl(dependency);
      if (purl === null) continue;
      const { name, version, line } = dependency;
      const component: Component = {
        type: 'library',
        'bom-ref': purl,
        name,
        ...(version !== null && { version }),
        purl,
      };
      const known = found.get(purl) ?? { component, occurrences: [] };
      const location = dependency.includedFrom ?? path;
      if (!known.occurrences.some((place) => place.location === location && place.line === (line ?? undefined))) {
        known.occurrences.push({ location, ...(line !== null && { line }) });
      }
      found.set(purl, known);
    }
  }
  return [...found.values()]
    .sort((a, b) => compareTexts(a.component.purl, b.component.purl))
    .map(({ component, occurrences }) => ({ ...component, evidence: { occurrences } }));
}

/** The same packages at the same time give the same document. */
function serialOf(body: object): string {
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  const variant = '89ab'[Number.parseInt(digest[16]!, 16) % 4];
  return `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
