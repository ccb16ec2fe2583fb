import { peek } from '../../decode.ts';
import type { Chunks, Format, ReadContext, ReadDetection } from '../../format.ts';
import { FormatError } from '../../format-error.ts';
import { weaknesses } from '../../identifiers.ts';
import {
  type JsonObject,
  type JsonPath,
  objectAt,
  readJson,
  requiredText,
  requireRootMember,
} from '../../json/json.ts';
import { sourceName } from '../../source-name.ts';
import { Spool } from '../../spool.ts';
import { firstText, list, number, object, objects, text, texts } from '../../values.ts';
import { child, childrenOf, childText, readXml, type XmlElement } from '../../xml/xml.ts';
import { type BomVulnerability, bomResults, type Component, isStatement, type Rating } from './cyclonedx-result.ts';

/**
 * Reads a component and all components nested in it. Returns the vulnerabilities inside (where the extension
 * `ext/vulnerability/1.0` of versions before 1.4 puts them), each with its affected component.
 */
function collectXmlComponents(
  component: XmlElement,
  components: Map<string, Component>,
  line: number,
  depth = 0,
): BomVulnerability[] {
  const purl = childText(component, 'purl');
  const name = [childText(component, 'group'), childText(component, 'name')].filter(Boolean).join('/');
  const known: Component = { name, version: childText(component, 'version'), purl };
  const refs = [component.attributes['bom-ref'], purl].filter((ref) => ref !== undefined);
  // A component without a reference gets one that nothing else can refer to.
  const ref = refs[0] ?? `\0${name}@${known.version ?? ''}`;
  for (const one of [ref, ...refs]) components.set(one, known);
  const own = childrenOf(child(component, 'vulnerabilities'), 'vulnerability').map((found) => ({
    ...readXmlVulnerability(found, line),
    affects: [{ ref, statuses: [] }],
  }));
  const nested = depth < 100 ? childrenOf(child(component, 'components'), 'component') : [];
  return [...own, ...nested.flatMap((inner) => collectXmlComponents(inner, components, line, depth + 1))];
}

function readXmlVulnerability(found: XmlElement, line: number): BomVulnerability {
  const id = childText(found, 'id') ?? found.attributes['bom-ref'];
  if (!id) throw new FormatError('A vulnerability must have an “id”.', { line });
  const source = child(found, 'source');
  const analysis = child(found, 'analysis');
  return {
    id,
    sourceName: childText(source, 'name') ?? source?.attributes.name,
    url: childText(source, 'url'),
    aliases: childrenOf(child(found, 'references'), 'reference').flatMap((one) => childText(one, 'id') ?? []),
    ratings: childrenOf(child(found, 'ratings'), 'rating').map(readXmlRating),
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

function readXmlRating(rating: XmlElement): Rating {
  const score = child(rating, 'score');
  return {
    source: childText(child(rating, 'source'), 'name'),
    score: number(childText(score, 'base') ?? score?.text),
    word: childText(rating, 'severity'),
    method: childText(rating, 'method'),
    vector: childText(rating, 'vector'),
  };
}

/**
 * A component and all components nested in it, by `bom-ref` and by package URL, which some tools use as a reference.
 */
function collectComponents(component: JsonObject, components: Map<string, Component>, depth = 0): void {
  const name = [text(component.group), text(component.name)].filter(Boolean).join('/');
  const known: Component = { name, version: text(component.version), purl: text(component.purl) };
  for (const ref of texts([component['bom-ref'], component.purl])) components.set(ref, known);
  if (depth < 100) for (const nested of objects(component.components)) collectComponents(nested, components, depth + 1);
}

/**
 * Returns the tool that created the file: `metadata.tools` is a list of tools before version 1.5 and an object with
 * components afterwards.
 */
function firstTool(tools: unknown): Record<'name' | 'version', string | undefined> {
  const [first] = Array.isArray(tools) ? objects(tools) : objects(object(tools).components);
  return { name: text(first?.name), version: text(first?.version) };
}

function readVulnerability(found: JsonObject, path: JsonPath): BomVulnerability {
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

/**
 * CycloneDX 1.0 to 1.7 in JSON and XML: the vulnerabilities, not the list of components.
 *
 * The source is the first tool in the file (`grype`, `trivy`, …). One finding for each vulnerability and affected
 * component. Severity: see cyclonedx-result.ts. Vulnerabilities that their analysis (VEX) calls resolved are not
 * findings; "not affected", "false positive" and "will not fix" arrive suppressed. In a file without components, they
 * are statements about another file and left out. Vulnerabilities wait until all components are known.
 */
export const cyclonedx: Format = {
  name: 'cyclonedx',
  title: 'CycloneDX',
  isShared: true,
  recognise(head) {
    if (head.kind === 'json') return head.values.get('bomFormat') === 'CycloneDX' ? 1 : 0;
    return head.element === 'bom' && /cyclonedx/i.test(head.namespace) ? 1 : 0;
  },
  async *read(chunks, context) {
    const components = new Map<string, Component>();
    const tool: BomTool = { source: 'cyclonedx', version: undefined };
    await using vulnerabilities = new Spool<BomVulnerability>();
    const [start, whole] = await peek(chunks, 1024);
    const read = start.toString('latin1').trimStart().startsWith('<') ? readXmlBom : readJsonBom;
    for await (const found of read(whole, components, tool)) await vulnerabilities.add(found);
    context.covers(tool.source);
    context.version(tool.source, tool.version);
    yield* results(vulnerabilities, components, tool.source, context);
  },
};

/** The tool that created the file. */
type BomTool = { source: string; version: string | undefined };

async function* results(
  vulnerabilities: Spool<BomVulnerability>,
  components: Map<string, Component>,
  source: string,
  context: ReadContext,
): AsyncGenerator<ReadDetection> {
  let statements = 0;
  for await (const found of vulnerabilities.drain()) {
    if (isStatement(found, components)) statements += 1;
    else yield* bomResults(found, components, source);
  }
  if (statements > 0) {
    const count = statements === 1 ? 'One analysis' : `${statements} analyses`;
    context.incomplete(
      `${count} of vulnerabilities of another bill of materials (VEX) left out: they change no finding.`,
    );
  }
}

async function* readJsonBom(
  chunks: Chunks,
  components: Map<string, Component>,
  tool: BomTool,
): AsyncGenerator<BomVulnerability> {
  const patterns = ['metadata.tools', 'metadata.component', 'components[*]', 'vulnerabilities[*]'];
  for await (const event of readJson(chunks, patterns)) {
    requireRootMember(event, ['bomFormat'], 'CycloneDX');
    if (event.kind !== 'item') continue;
    if (event.pattern === 'metadata.tools') {
      const named = firstTool(event.value);
      tool.source = sourceName(named.name, tool.source);
      tool.version = named.version;
    } else if (event.pattern === 'vulnerabilities[*]')
      yield readVulnerability(objectAt(event.value, event.path), event.path);
    else collectComponents(objectAt(event.value, event.path), components);
  }
}

const xmlPaths = new Set([
  'bom/metadata/tools',
  'bom/metadata/component',
  'bom/components/component',
  'bom/vulnerabilities/vulnerability',
]);

async function* readXmlBom(
  chunks: Chunks,
  components: Map<string, Component>,
  tool: BomTool,
): AsyncGenerator<BomVulnerability> {
  for await (const event of readXml(chunks, xmlPaths)) {
    if (event.kind === 'start' && !event.path.startsWith('bom')) {
      throw new FormatError('This is not a file of CycloneDX: its root is not “bom”.', { line: 1 });
    }
    if (event.kind !== 'item') continue;
    const { element, line, path } = event;
    if (path === 'bom/metadata/tools') {
      const first = childrenOf(element, 'tool')[0] ?? childrenOf(child(element, 'components'), 'component')[0];
      tool.source = sourceName(childText(first, 'name'), tool.source);
      tool.version = childText(first, 'version');
    } else if (path === 'bom/vulnerabilities/vulnerability') {
      const found = readXmlVulnerability(element, line);
      const target = element.attributes.ref;
      yield target && found.affects.length === 0 ? { ...found, affects: [{ ref: target, statuses: [] }] } : found;
    } else yield* collectXmlComponents(element, components, line);
  }
}
