import { peek } from '../../decode.ts';
import type { Chunks, Format, ReadContext, ReadDetection } from '../../format.ts';
import { FormatError } from '../../format-error.ts';
import { objectAt, readJson, requireRootMember } from '../../json/json.ts';
import { sourceName } from '../../source-name.ts';
import { Spool } from '../../spool.ts';
import { child, childrenOf, childText, readXml } from '../../xml/xml.ts';
import { collectComponents, firstTool, readVulnerability } from './cyclonedx-json.ts';
import { type BomVulnerability, bomResults, type Component, isStatement } from './cyclonedx-result.ts';
import { collectXmlComponents, readXmlVulnerability } from './cyclonedx-xml.ts';

/**
 * CycloneDX 1.0 to 1.7 in JSON and XML: the vulnerabilities, not the list of components.
 *
 * The source is the tool that the file names first (`grype`, `trivy`, …). One finding for each vulnerability and
 * affected component. Severity: see cyclonedx-result.ts. Vulnerabilities whose analysis (VEX) says that they are resolved
 * are not findings; "not affected", "false positive" and "will not fix" arrive suppressed. In a file without components,
 * they are statements about another file, and left out. Vulnerabilities are held back until all components are known.
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

/** The tool that made the file. */
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
