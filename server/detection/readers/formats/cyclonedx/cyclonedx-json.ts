import { weaknesses } from '../../identifiers.ts';
import { type JsonObject, type JsonPath, requiredText } from '../../json/json.ts';
import { firstText, list, number, object, objects, text, texts } from '../../values.ts';
import type { BomVulnerability, Component, Rating } from './cyclonedx-result.ts';

/**
 * A component and all components nested in it, by `bom-ref` and by package URL, which some tools use as a reference.
 */
export function collectComponents(component: JsonObject, components: Map<string, Component>, depth = 0): void {
  const name = [text(component.group), text(component.name)].filter(Boolean).join('/');
  const known: Component = { name, version: text(component.version), purl: text(component.purl) };
  for (const ref of texts([component['bom-ref'], component.purl])) components.set(ref, known);
  if (depth < 100) for (const nested of objects(component.components)) collectComponents(nested, components, depth + 1);
}

/**
 * Returns the tool that made the file: `metadata.tools` is a list of tools before version 1.5 and an object of components
 * after.
 */
export function firstTool(tools: unknown): Record<'name' | 'version', string | undefined> {
  const [first] = Array.isArray(tools) ? objects(tools) : objects(object(tools).components);
  return { name: text(first?.name), version: text(first?.version) };
}

export function readVulnerability(found: JsonObject, path: JsonPath): BomVulnerability {
  const analysis = object(found.analysis);
  return {
    id: firstText(found.id, found['bom-ref']) ?? requiredText(found, 'id', path),
    sourceName: text(object(found.source).name),
    url: text(object(found.source).url),
    aliases: objects(found.references).flatMap((reference) => texts(reference.id)),
    ratings: objects(found.ratings).map(readRating),
    weaknesses: weaknesses(list(found.cwes)),
    description: text(found.description),
    detail: text(found.detail),
    recommendation: text(found.recommendation),
    references: objects(found.advisories).flatMap((advisory) => texts(advisory.url)),
    analysis: {
      state: text(analysis.state),
      justification: text(analysis.justification),
      responses: texts(analysis.response),
      detail: text(analysis.detail),
    },
    affects: objects(found.affects).flatMap((target) => {
      const ref = text(target.ref);
      return ref === undefined
        ? []
        : [{ ref, statuses: objects(target.versions).map((one) => text(one.status) ?? 'affected') }];
    }),
  };
}

const readRating = (rating: JsonObject): Rating => ({
  source: text(object(rating.source).name),
  score: number(rating.score),
  word: text(rating.severity),
  method: text(rating.method),
  vector: text(rating.vector),
});
