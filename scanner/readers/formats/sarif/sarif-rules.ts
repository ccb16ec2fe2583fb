import type { Confidence } from '../../../contract/confidence.ts';
import { confidenceFromWord } from '../../confidence.ts';
import { taggedWeaknesses, weakness } from '../../identifiers.ts';
import type { JsonObject } from '../../json/json.ts';
import { ownSource, ownTool } from '../../own-result.ts';
import { firstText, list, object, objects, text, texts } from '../../values.ts';

/** The parts of a rule that its results need, prepared once. */
export type SarifRule = {
  id: string;
  name: string | undefined;
  short: string | undefined;
  full: string | undefined;
  help: string | undefined;
  url: string | undefined;
  level: string | undefined;
  /** A score as string or number, or a word, as in some of Semgrep's rules. */
  securitySeverity: unknown;
  confidence: Confidence | null;
  weaknesses: string[];
  tags: string[];
  messages: JsonObject;
};

/** A run's tool: its name, and the rules of its driver and extensions by index and by id. */
export type SarifTool = {
  name: string | undefined;
  version: string | undefined;
  /** The detection source of a run that `assay scan` wrote. */
  own: string | undefined;
  messages: JsonObject;
  /** The driver is at 0, the extensions follow. */
  components: Array<{ name: string | undefined; guid: string | undefined; rules: SarifRule[] }>;
  byId: Map<string, SarifRule>;
};

/** A file may have thousands of rules, which stay in memory. */
export const maxHelp = 1_500;

export function readTool(tool: JsonObject): SarifTool {
  const parts = [object(tool.driver), ...objects(tool.extensions)];
  const components = parts.map((part) => ({
    name: text(part.name),
    guid: text(part.guid),
    rules: list(part.rules).map((rule) => readRule(object(rule))),
  }));
  const byId = new Map<string, SarifRule>();
  for (const rule of components.flatMap((component) => component.rules))
    if (!byId.has(rule.id)) byId.set(rule.id, rule);
  const version = firstText(parts[0]?.semanticVersion, parts[0]?.version);
  const { name } = components[0]!;
  const own = name === ownTool ? ownSource(object(parts[0]!.properties).source) : undefined;
  return { name, version, own, messages: object(parts[0]?.globalMessageStrings), components, byId };
}

function readRule(rule: JsonObject): SarifRule {
  const properties = object(rule.properties);
  const help = object(rule.help);
  return {
    id: text(rule.id) ?? '',
    name: text(rule.name),
    short: text(object(rule.shortDescription).text),
    full: firstText(object(rule.fullDescription).text, properties.description),
    help: firstText(help.markdown, help.text)?.slice(0, maxHelp),
    url: text(rule.helpUri),
    level: text(object(rule.defaultConfiguration).level),
    securitySeverity: properties['security-severity'],
    confidence: confidenceOfRule(properties),
    weaknesses: [
      ...taggedWeaknesses(texts(properties.tags)),
      ...weaknessesIn(properties),
      ...objects(rule.relationships).flatMap((relation) => taxon(object(relation.target))),
    ],
    tags: texts(properties.tags),
    messages: object(rule.messageStrings),
  };
}

/** CodeQL states the precision of a rule; Semgrep has a tag such as `HIGH CONFIDENCE`. */
function confidenceOfRule({ precision, confidence, tags }: JsonObject): Confidence | null {
  const tagged = texts(tags).map((tag) => /^(\w+) confidence$/i.exec(tag)?.[1]);
  return [precision, confidence, ...tagged].map(confidenceFromWord).find((known) => known !== null) ?? null;
}

/** The names under which tools store identifiers in the property bags of rules and results. */
export const weaknessesIn = (properties: JsonObject): string[] =>
  [properties.cwe, properties.CWE, properties.cwes]
    .flatMap((value) => list(Array.isArray(value) ? value : [value]).map(weakness))
    .filter((id) => id !== null);

/** A reference to a taxonomy, if it is CWE. */
export function taxon(reference: JsonObject): string[] {
  const name = text(object(reference.toolComponent).name);
  const id = text(reference.id);
  if (id === undefined || (name !== undefined ? !/^cwe/i.test(name) : !/^cwe-/i.test(id))) return [];
  const found = weakness(id);
  return found === null ? [] : [found];
}

/**
 * Finds a result's rule: by its index in the driver or an extension, otherwise by id, otherwise by the id without its
 * last parts (`CA1000/1`).
 */
export function findRule(tool: SarifTool, result: JsonObject): SarifRule | undefined {
  const reference = object(result.rule);
  const id = firstText(result.ruleId, reference.id);
  const index = typeof result.ruleIndex === 'number' ? result.ruleIndex : reference.index;
  const component = findComponent(tool, object(reference.toolComponent));
  const byPlace = typeof index === 'number' ? component?.rules[index] : undefined;
  if (byPlace && (id === undefined || byPlace.id === id || id.startsWith(`${byPlace.id}/`))) return byPlace;
  for (let name = id; name; name = name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : undefined) {
    const found = tool.byId.get(name);
    if (found) return found;
  }
  return byPlace;
}

function findComponent(tool: SarifTool, reference: JsonObject): SarifTool['components'][number] | undefined {
  if (typeof reference.index === 'number') return tool.components[reference.index + 1];
  const name = text(reference.name);
  const guid = text(reference.guid);
  const named = tool.components.find(
    (one) => (guid !== undefined && one.guid === guid) || (name !== undefined && one.name === name),
  );
  return named ?? tool.components[0];
}
