import { FormatError } from '../../format-error.ts';
import { weaknesses } from '../../identifiers.ts';
import { number } from '../../values.ts';
import { child, childrenOf, childText, type XmlElement } from '../../xml/xml.ts';
import type { BomVulnerability, Component, Rating } from './cyclonedx-result.ts';

/**
 * Reads a component and all components nested in it. Returns the vulnerabilities inside (the extension
 * `ext/vulnerability/1.0` of versions before 1.4 puts them there), each with the component that it affects.
 */
export function collectXmlComponents(
  component: XmlElement,
  components: Map<string, Component>,
  line: number,
  depth = 0,
): BomVulnerability[] {
  const purl = childText(component, 'purl');
  const name = [childText(component, 'group'), childText(component, 'name')].filter(Boolean).join('/');
  const known: Component = { name, version: childText(component, 'version'), purl };
  const refs = [component.attributes['bom-ref'], purl].filter((ref) => ref !== undefined);
  // A component without a reference gets one that nothing else can name.
  const ref = refs[0] ?? `\0${name}@${known.version ?? ''}`;
  for (const one of [ref, ...refs]) components.set(one, known);
  const own = childrenOf(child(component, 'vulnerabilities'), 'vulnerability').map((found) => ({
    ...readXmlVulnerability(found, line),
    affects: [{ ref, statuses: [] }],
  }));
  const nested = depth < 100 ? childrenOf(child(component, 'components'), 'component') : [];
  return [...own, ...nested.flatMap((inner) => collectXmlComponents(inner, components, line, depth + 1))];
}

export function readXmlVulnerability(found: XmlElement, line: number): BomVulnerability {
  const id = childText(found, 'id') ?? found.attributes['bom-ref'];
  if (!id) throw new FormatError('A vulnerability must have an “id”.', { line });
  const source = child(found, 'source');
  const analysis = child(found, 'analysis');
  return {
    id,
    sourceName: childText(source, 'name') ?? source?.attributes.name,
    url: childText(source, 'url'),
    aliases: childrenOf(child(found, 'references'), 'reference').flatMap((one) => childText(one, 'id') ?? []),
    ratings: childrenOf(child(found, 'ratings'), 'rating').map(readRating),
    weaknesses: weaknesses(childrenOf(child(found, 'cwes'), 'cwe').map((one) => one.text)),
    description: childText(found, 'description'),
    detail: childText(found, 'detail'),
    recommendation: childText(found, 'recommendation') ?? childText(child(found, 'recommendations'), 'recommendation'),
    references: childrenOf(child(found, 'advisories'), 'advisory').map((one) => childText(one, 'url') ?? one.text),
    analysis: {
      state: childText(analysis, 'state'),
      justification: childText(analysis, 'justification'),
      responses: childrenOf(child(analysis, 'responses'), 'response').map((one) => one.text),
      detail: childText(analysis, 'detail'),
    },
    affects: childrenOf(child(found, 'affects'), 'target').flatMap((target) => {
      const ref = childText(target, 'ref');
      const statuses = childrenOf(child(target, 'versions'), 'version').map(
        (one) => childText(one, 'status') ?? 'affected',
      );
      return ref === undefined ? [] : [{ ref, statuses }];
    }),
  };
}

function readRating(rating: XmlElement): Rating {
  const score = child(rating, 'score');
  return {
    source: childText(child(rating, 'source'), 'name'),
    score: number(childText(score, 'base') ?? score?.text),
    word: childText(rating, 'severity'),
    method: childText(rating, 'method'),
    vector: childText(rating, 'vector'),
  };
}
