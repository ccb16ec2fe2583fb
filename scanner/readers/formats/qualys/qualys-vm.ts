import { type Definition, type Explained, withDefinitions } from '../../definitions.ts';
import type { ReadContext, ReadDetection } from '../../format.ts';
import { FormatError } from '../../format-error.ts';
import { advisoryIdentifiers } from '../../identifiers.ts';
import { child, childrenOf, childText, type XmlElement, type XmlEvent } from '../../xml/xml.ts';
import {
  type HostResult,
  hostName,
  isFixed,
  plainText,
  portOf,
  readHostResult,
  scannerVersion,
  scoreOf,
} from './qualys-result.ts';

const hostFacts = ['IP', 'DNS', 'NETBIOS', 'TRACKING_METHOD'];

const assetHost = 'ASSET_DATA_REPORT/HOST_LIST/HOST';
const assetDefinition = 'ASSET_DATA_REPORT/GLOSSARY/VULN_DETAILS_LIST/VULN_DETAILS';
const assetResult = `${assetHost}/VULN_INFO_LIST/VULN_INFO`;
export const assetPaths = [assetResult, assetDefinition, ...hostFacts.map((name) => `${assetHost}/${name}`)];

const apiHost = 'HOST_LIST_VM_DETECTION_OUTPUT/RESPONSE/HOST_LIST/HOST';
const apiResult = `${apiHost}/DETECTION_LIST/DETECTION`;
const apiWarning = 'HOST_LIST_VM_DETECTION_OUTPUT/RESPONSE/WARNING';
export const apiPaths = [apiResult, apiWarning, ...hostFacts.map((name) => `${apiHost}/${name}`)];

const scanLists = { VULNS: 'VULN', PRACTICES: 'PRACTICE', INFOS: 'INFO', SERVICES: 'SERVICE' };
const scanFact = 'SCAN/HEADER/KEY';
export const scanPaths = [scanFact, ...Object.entries(scanLists).map(([list, name]) => `SCAN/IP/${list}/CAT/${name}`)];

/** The facts about the host that is being read. */
class Host {
  #facts = new Map<string, string>();

  /** Records a fact, or the start of another host. Returns whether the event was one of these. */
  note(event: XmlEvent, path: string): boolean {
    if (event.kind === 'start' && event.path === path) this.#facts = new Map();
    if (event.kind !== 'item' || !event.path.startsWith(`${path}/`)) return event.kind !== 'item';
    const name = event.path.slice(path.length + 1);
    if (name.includes('/')) return false;
    this.#facts.set(name, event.element.text);
    return true;
  }

  get name(): string {
    const of = (name: string) => this.#facts.get(name) || undefined;
    return hostName(of('IP'), [of('DNS'), of('NETBIOS')], of('TRACKING_METHOD'));
  }
}

function idOf(element: XmlElement, line: number): string {
  const id = childText(element, 'QID') ?? child(element, 'QID')?.attributes.id?.replace(/^qid_/, '');
  if (id === undefined) throw new FormatError('A vulnerability must have a “QID”.', { line });
  return id;
}

/** The scan report: hosts first, then a glossary of the QIDs. */
export async function* assetResults(
  events: AsyncIterable<XmlEvent>,
  context: ReadContext,
): AsyncGenerator<ReadDetection> {
  for await (const { result, definition } of withDefinitions(assetItems(events), context))
    yield readHostResult(result, definition);
}

async function* assetItems(events: AsyncIterable<XmlEvent>): AsyncGenerator<Explained<HostResult>> {
  const host = new Host();
  for await (const event of events) {
    if (host.note(event, assetHost) || event.kind !== 'item') continue;
    const { element, line } = event;
    if (event.path === assetDefinition) yield { definition: definitionOf(element, idOf(element, line)), line };
    else if (!isFixed(childText(element, 'VULN_STATUS')))
      yield {
        result: {
          id: idOf(element, line),
          host: host.name,
          port: portOf(childText(element, 'PORT'), childText(element, 'PROTOCOL')),
          type: childText(element, 'TYPE') ?? '',
          output: childText(element, 'RESULT'),
        },
      };
  }
}

const identifiersOf = (element: XmlElement): string[] =>
  childrenOf(child(element, 'CVE_ID_LIST'), 'CVE_ID').map((one) => childText(one, 'ID') ?? '');

function definitionOf(element: XmlElement, id: string): Definition {
  const of = (name: string) => childText(element, name);
  return {
    id,
    name: of('TITLE') ?? `QID ${id}`,
    severity: of('SEVERITY') ?? element.attributes.severity,
    score: scoreOf(
      childText(child(element, 'CVSS3_SCORE'), 'CVSS3_BASE'),
      of('CVSS3_BASE'),
      childText(child(element, 'CVSS_SCORE'), 'CVSS_BASE'),
      of('CVSS_BASE'),
    ),
    description: [of('THREAT') ?? of('DIAGNOSIS'), of('IMPACT') ?? of('CONSEQUENCE')]
      .map(plainText)
      .filter(Boolean)
      .join('\n\n'),
    solution: plainText(of('SOLUTION')),
    identifiers: advisoryIdentifiers(element.attributes.cveid, ...identifiersOf(element)),
    references: childrenOf(child(element, 'VENDOR_REFERENCE_LIST'), 'VENDOR_REFERENCE').map(
      (one) => childText(one, 'URL') ?? '',
    ),
  };
}

/** The host detections of the API. They contain only the QID; its texts are in Qualys's knowledge base. */
export async function* apiResults(
  events: AsyncIterable<XmlEvent>,
  context: ReadContext,
): AsyncGenerator<ReadDetection> {
  const host = new Host();
  for await (const event of events) {
    if (host.note(event, apiHost) || event.kind !== 'item') continue;
    if (event.path === apiWarning) {
      context.incomplete('The file is one page of several of Qualys’ answer.');
      continue;
    }
    const of = (name: string) => childText(event.element, name);
    if (isFixed(of('STATUS'))) continue;
    const result: HostResult = {
      id: idOf(event.element, event.line),
      host: host.name,
      port: portOf(of('PORT'), of('PROTOCOL')),
      type: of('TYPE') ?? '',
      severity: of('SEVERITY'),
      output: of('RESULTS'),
      suppression: of('IS_IGNORED') === '1' ? { status: 'accepted_risk', reason: 'Ignored in Qualys.' } : undefined,
    };
    yield readHostResult(result, undefined);
  }
}

const scanTypes: Record<string, string> = { VULN: 'Vuln', PRACTICE: 'Practice', INFO: 'Ig', SERVICE: 'Ig' };

/** The results of one scan: each has its texts. */
export async function* scanResults(
  events: AsyncIterable<XmlEvent>,
  context: ReadContext,
): AsyncGenerator<ReadDetection> {
  let host = '';
  let port = '';
  for await (const event of events) {
    if (event.kind === 'start' && event.path === 'SCAN/IP')
      host = event.attributes.value || event.attributes.name || '';
    if (event.kind === 'start' && event.path.endsWith('/CAT'))
      port = portOf(event.attributes.port, event.attributes.protocol);
    if (event.kind !== 'item') continue;
    if (event.path === scanFact) {
      context.version('qualys', scannerVersion(event.element.text));
      continue;
    }
    const id = event.element.attributes.number;
    if (!id) throw new FormatError('A vulnerability must have a “number”.', { line: event.line });
    const type = scanTypes[event.element.name] ?? '';
    yield readHostResult(
      { id, host, port, type, output: childText(event.element, 'RESULT') },
      definitionOf(event.element, id),
    );
  }
}
