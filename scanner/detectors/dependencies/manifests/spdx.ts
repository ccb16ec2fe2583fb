import type { Dependency } from '../dependency.ts';
import { readPackageUrl } from '../package-url.ts';
import { readSpdx } from './cyclonedx.ts';
import { fileName, type ManifestFormat } from './manifest-format.ts';
import { objects, readJson, text } from './structures.ts';
import { descendantsOf, readXml } from './xml.ts';

/** SPDX in JSON: version 2's packages, or version 3's graph. */
export const spdxJson: ManifestFormat = {
  name: 'SPDX SBOM',
  matches: (path) => /\.spdx(?:\.rdf)?\.json(?:ld)?$|^spdx\.json$/i.test(fileName(path)),
  read(content) {
    const document = readJson(content);
    const graph = objects(document['@graph']);
    if (document.spdxVersion === undefined && graph.length === 0) throw new Error('It is not an SPDX document.');
    const inGraph = graph.map((element) => text(element.software_packageUrl) ?? text(element.packageUrl) ?? '');
    return [...readSpdx(document), ...inGraph.flatMap((url) => readPackageUrl(url, null) ?? [])];
  },
};

/** SPDX 2 in XML or RDF: both name package URLs as `referenceLocator`. */
export const spdxXml: ManifestFormat = {
  name: 'SPDX SBOM (XML)',
  matches: (path) => /\.spdx(?:\.rdf)?(?:\.xml)$|\.spdx\.rdf$/i.test(fileName(path)),
  read: (content) =>
    [...descendantsOf(readXml(content), 'referenceLocator')].flatMap(
      ({ text: url, line }): Dependency | never[] => readPackageUrl(url.trim(), line) ?? [],
    ),
};

/** SPDX 2 as tags and values. */
export const spdxTagValue: ManifestFormat = {
  name: 'SPDX SBOM (tag-value)',
  matches: (path) => /\.spdx$/i.test(fileName(path)),
  read(content) {
    if (!/^SPDXVersion:/m.test(content)) throw new Error('It is not an SPDX document.');
    return content.split('\n').flatMap((line, index): Dependency | never[] => {
      const [, url] = /^ExternalRef: PACKAGE[-_]MANAGER purl (\S+)/.exec(line) ?? [];
      return (url && readPackageUrl(url, index + 1)) || [];
    });
  },
};
