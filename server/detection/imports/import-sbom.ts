import type { Advisories } from '../contract/advisory.ts';
import { findVulnerabilities } from '../detectors/dependencies/find-vulnerabilities.ts';
import { cyclonedxJson, cyclonedxXml } from '../detectors/dependencies/manifests/cyclonedx.ts';
import type { ManifestFormat } from '../detectors/dependencies/manifests/manifest-format.ts';
import { spdxJson, spdxTagValue, spdxXml } from '../detectors/dependencies/manifests/spdx.ts';
import type { ImportedDetection } from '../formats/format.ts';
import { FormatError } from '../formats/format-error.ts';
import type { Head } from '../formats/head.ts';

/** A bill of materials: which reader knows its packages, and whether it can also hold results of its own. */
export type Sbom = { name: 'spdx' | 'cyclonedx'; manifest: ManifestFormat };

/** Packages of larger ones are not looked up; the results that they hold are read all the same. */
export const maxSbomBytes = 64 * 1024 * 1024;

/** The bill of materials that a file begins like; null for anything else. `format` is what the sender says it is. */
export function recogniseSbom(head: Head, format: string | undefined): Sbom | null {
  const isCyclonedx =
    head.values.get('bomFormat') === 'CycloneDX' || (head.element === 'bom' && /cyclonedx/i.test(head.namespace));
  if (isCyclonedx && (format ?? 'cyclonedx') === 'cyclonedx') {
    return { name: 'cyclonedx', manifest: head.kind === 'xml' ? cyclonedxXml : cyclonedxJson };
  }
  if ((format ?? 'spdx') !== 'spdx') return null;
  if (head.kind === 'json') {
    const isSpdx = head.paths.has('spdxVersion') || /spdx/i.test(head.values.get('@context') ?? '');
    return isSpdx ? { name: 'spdx', manifest: spdxJson } : null;
  }
  if (head.kind === 'xml') return /spdx/i.test(head.text.slice(0, 4_096)) ? { name: 'spdx', manifest: spdxXml } : null;
  return /^SPDXVersion:/m.test(head.text) ? { name: 'spdx', manifest: spdxTagValue } : null;
}

/**
 * The known vulnerabilities of the packages in a bill of materials, as the source `dependencies` tells them. Identity rests on
 * package, version and advisory, not on the file's name: the next bill of the same data source follows on this one.
 * Throws FormatError when it can't be read.
 */
export async function* matchSbom(
  { name, manifest }: Sbom,
  content: string,
  advisories: Advisories,
): AsyncGenerator<ImportedDetection[]> {
  let dependencies: Awaited<ReturnType<ManifestFormat['read']>>;
  try {
    dependencies = await manifest.read(content, { read: async () => null, warn: () => {} });
  } catch (error) {
    throw new FormatError(`This can't be read as ${manifest.name}: ${(error as Error).message}`);
  }
  for await (const detection of findVulnerabilities([{ path: 'sbom', format: name, dependencies }], advisories)) {
    yield [{ ...detection, source: 'dependencies', suppression: null }];
  }
}
