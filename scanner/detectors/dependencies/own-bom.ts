import type { Dependency, Manifest } from './dependency.ts';
import { type Json, object, objects, readJson, text } from './manifests/structures.ts';
import { readPackageUrl } from './package-url.ts';

/** The properties of a CycloneDX file that only Assay writes. Each may occur several times. */
export const bomProperties = {
  /** A metadata property: a reason, as a sentence, why packages may be missing. */
  partial: 'assay:partial',
  /** A metadata property: the path of a manifest that could not be read. */
  uncovered: 'assay:uncovered',
  /** A component property: its ecosystem in OSV's spelling, if the package URL does not determine it. */
  ecosystem: 'assay:ecosystem',
};

/** The packages of a scan from the command line, by manifest, and the gaps in its coverage. */
export type OwnBom = { manifests: Manifest[]; partial: string[]; uncovered: string[]; version: string | null };

/** Returns whether `readOwnBom` may be able to read a file, judging by its start. */
export const mayBeOwnBom = (content: Buffer | null): boolean =>
  content !== null && /"name":\s*"Assay"/.test(content.toString('latin1', 0, 4_096));

/**
 * Reads a CycloneDX file in JSON that `assay scan` wrote: its packages are in their manifests, as in a scan of the
 * repository. Returns null for another tool's file. Throws if the file isn't JSON.
 */
export function readOwnBom(content: string): OwnBom | null {
  const bom = readJson(content);
  const metadata = object(bom.metadata);
  const [tool] = objects(object(metadata.tools).components);
  if (text(tool?.name) !== 'Assay') return null;
  const manifests = new Map<string, Dependency[]>();
  for (const component of objects(bom.components)) {
    for (const { path, dependency } of placesOf(component)) {
      const known = manifests.get(path);
      if (known) known.push(dependency);
      else manifests.set(path, [dependency]);
    }
  }
  return {
    manifests: [...manifests].map(([path, dependencies]) => ({ path, format: 'cyclonedx', dependencies })),
    partial: valuesOf(metadata, bomProperties.partial),
    uncovered: valuesOf(metadata, bomProperties.uncovered),
    version: text(tool?.version) ?? null,
  };
}

function* placesOf(component: Json): Generator<{ path: string; dependency: Dependency }> {
  const known = readPackageUrl(text(component.purl) ?? '', null);
  const ecosystem = valuesOf(component, bomProperties.ecosystem)[0] ?? known?.ecosystem;
  const name = text(component.name);
  if (ecosystem === undefined || !name) return;
  const version = text(component.version) ?? null;
  for (const occurrence of objects(object(component.evidence).occurrences)) {
    const path = text(occurrence.location);
    const line = typeof occurrence.line === 'number' && Number.isInteger(occurrence.line) ? occurrence.line : null;
    if (path) yield { path, dependency: { ecosystem, name, version, line } };
  }
}

const valuesOf = (described: Json, name: string): string[] =>
  objects(described.properties).flatMap((property) => {
    const value = property.name === name ? text(property.value) : null;
    return value ? [value] : [];
  });
