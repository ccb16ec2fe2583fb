import type { Dependency } from '../dependency.ts';
import { readPackageUrl } from '../package-url.ts';
import { fileName, type ManifestFormat } from './manifest-format.ts';
import { isObject, type Json, objects, readJson, text } from './structures.ts';
import { descendantsOf, readXml, textOf } from './xml.ts';

/** A CycloneDX SBOM in JSON: the components with a package URL, at any depth. */
export const cyclonedxJson: ManifestFormat = {
  name: 'CycloneDX SBOM',
  matches: (path) =>
    /^(?:bom|sbom|.*[.-](?:cdx|bom|sbom|cyclonedx)|cyclonedx|cyclonedx[.-].*)\.json$/i.test(fileName(path)),
  read(content) {
    const bom = readJson(content);
    if (bom.bomFormat !== 'CycloneDX') {
      // Other SBOM formats use the same file names.
      if (isObject(bom.creationInfo) || bom.spdxVersion !== undefined) return readSpdx(bom);
      throw new Error('It is not a CycloneDX SBOM.');
    }
    const found: Dependency[] = [];
    const pending: Json[] = objects(bom.components).reverse();
    for (let component = pending.pop(); component; component = pending.pop()) {
      const dependency = readPackageUrl(text(component.purl) ?? '', null);
      if (dependency) found.push(dependency);
      pending.push(...objects(component.components).reverse());
    }
    return found;
  },
};

/** A CycloneDX SBOM in XML. */
export const cyclonedxXml: ManifestFormat = {
  name: 'CycloneDX SBOM (XML)',
  matches: (path) =>
    /^(?:bom|sbom|.*[.-](?:cdx|bom|sbom|cyclonedx)|cyclonedx|cyclonedx[.-].*)\.xml$/i.test(fileName(path)),
  read(content) {
    const bom = readXml(content);
    if (bom.name !== 'bom') throw new Error('It is not a CycloneDX SBOM.');
    const lists = bom.children.filter(({ name }) => name === 'components');
    return lists
      .flatMap((list) => [...descendantsOf(list, 'component')])
      .flatMap((component): Dependency[] => {
        const dependency = readPackageUrl(textOf(component, 'purl') ?? '', component.line);
        return dependency ? [dependency] : [];
      });
  },
};

/** Returns SPDX 2's packages that have a package URL among their references. */
export function readSpdx(document: Json): Dependency[] {
  return objects(document.packages).flatMap((entry) => {
    const references = objects(entry.externalRefs).filter(({ referenceType }) =>
      /^(?:purl|.*\/purl)$/.test(String(referenceType)),
    );
    return references.flatMap(({ referenceLocator }): Dependency[] => {
      const dependency = readPackageUrl(text(referenceLocator) ?? '', null);
      return dependency ? [dependency] : [];
    });
  });
}
