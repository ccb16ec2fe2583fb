import type { Advisories } from '../contract/advisory.ts';
import { findVulnerabilities } from '../detectors/dependencies/find-vulnerabilities.ts';
import { cyclonedxJson, cyclonedxXml } from '../detectors/dependencies/manifests/cyclonedx.ts';
import type { ManifestFormat } from '../detectors/dependencies/manifests/manifest-format.ts';
import { spdxJson, spdxTagValue, spdxXml } from '../detectors/dependencies/manifests/spdx.ts';
import type { ImportedDetection } from '../formats/format.ts';
import { FormatError } from '../formats/format-error.ts';
import type { Head } from '../formats/head.ts';

/** A bill of materials: the reader of its packages, and whether it can also contain results. */
export type Sbom = { name: 'spdx' | 'cyclonedx'; manifest: ManifestFormat };

/** Packages of larger files are not matched; the results in them are read all the same. */
export const maxSbomBytes = 64 * 1024 * 1024;

/** Recognises a bill of materials by its beginning; null for other files. `format` is the sender's claim. */
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
 * Yields the known vulnerabilities of the packages in a bill of materials, as the source `dependencies` reports them.
 * The identity is package, version and advisory, not the file's name, so that the next bill of the same data source
 * continues this one. Throws FormatError when it can't be read.
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
