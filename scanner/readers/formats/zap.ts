import type { Confidence } from '../../contract/confidence.ts';
import type { Severity } from '../../contract/severity.ts';
import { peek } from '../decode.ts';
import type { Chunks, Format, ReadContext, ReadDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { weaknesses } from '../identifiers.ts';
import { objectAt, readJson, requireRootMember } from '../json/json.ts';
import { objects, text } from '../values.ts';
import { shownAddress, webResult } from '../web-result.ts';
import { child, childrenOf, childText, readXml, type XmlElement } from '../xml/xml.ts';

const source = 'zap';

type Instance = { uri?: string; method?: string; param?: string; evidence?: string };
type Alert = {
  site: string;
  id: string;
  name: string;
  risk: string | undefined;
  confidence: string | undefined;
  description: string | undefined;
  solution: string | undefined;
  reference: string | undefined;
  weakness: string | undefined;
  tags: string[];
  instances: Instance[];
};

const severityOfRisk: Record<string, Severity> = { '0': 'info', '1': 'low', '2': 'medium', '3': 'high' };

/**
 * ZAP's XML and JSON reports. One finding for each alert of a site, with its instances as locations: there are many,
 * and one fix removes them all. Severity: the risk (informational to high). An alert of confidence 0 was marked as a
 * false positive in ZAP.
 */
export const zap: Format = {
  name: 'zap',
  title: 'ZAP',
  recognise(head) {
    if (head.kind === 'json')
      return head.paths.has('site[].alerts') || head.values.get('@programName') === 'ZAP' ? 1 : 0;
    return head.element === 'OWASPZAPReport' ? 1 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    const [start, whole] = await peek(chunks, 1_024);
    const alerts = start.toString('latin1').trimStart().startsWith('<')
      ? xmlAlerts(whole, context)
      : jsonAlerts(whole, context);
    for await (const alert of alerts) yield readAlert(alert);
  },
};

async function* xmlAlerts(chunks: Chunks, context: ReadContext): AsyncGenerator<Alert> {
  let site = '';
  for await (const event of readXml(chunks, new Set(['OWASPZAPReport/site/alerts/alertitem']))) {
    if (event.kind === 'start' && !event.path.startsWith('OWASPZAPReport')) {
      throw new FormatError('This is not a file of ZAP: its root is not “OWASPZAPReport”.', { line: 1 });
    }
    if (event.kind === 'start' && event.path === 'OWASPZAPReport') context.version(source, event.attributes.version);
    if (event.kind === 'start' && event.path === 'OWASPZAPReport/site') site = event.attributes.name ?? '';
    if (event.kind !== 'item') continue;
    const of = (name: string) => childText(event.element, name);
    const name = of('name') ?? of('alert');
    if (name === undefined) throw new FormatError('An alert must have a “name”.', { line: event.line });
    yield {
      site,
      id: of('alertRef') ?? of('pluginid') ?? name,
      name: of('alert') ?? name,
      risk: of('riskcode'),
      confidence: of('confidence'),
      description: of('desc'),
      solution: of('solution'),
      reference: of('reference'),
      weakness: of('cweid'),
      tags: childrenOf(child(event.element, 'tags'), 'tag').flatMap((one) => childText(one, 'tag') ?? []),
      instances: xmlInstances(event.element),
    };
  }
}

/** Very old reports have one address in the alert itself. */
function xmlInstances(alert: XmlElement): Instance[] {
  const instances = childrenOf(child(alert, 'instances'), 'instance');
  return (instances.length > 0 ? instances : [alert]).map((one) => ({
    uri: childText(one, 'uri'),
    method: childText(one, 'method'),
    param: childText(one, 'param'),
    evidence: childText(one, 'evidence'),
  }));
}

async function* jsonAlerts(chunks: Chunks, context: ReadContext): AsyncGenerator<Alert> {
  let site = '';
  for await (const event of readJson(chunks, ['@version', 'site[*].@name', 'site[*].alerts[*]'])) {
    requireRootMember(event, ['site'], 'ZAP');
    if (event.kind !== 'item') continue;
    if (event.pattern === '@version') context.version(source, event.value);
    else if (event.pattern === 'site[*].@name') site = text(event.value) ?? '';
    else yield jsonAlert(objectAt(event.value, event.path), site);
  }
}

function jsonAlert(alert: Record<string, unknown>, site: string): Alert {
  const name = text(alert.alert) ?? text(alert.name) ?? 'Alert';
  return {
    site,
    id: text(alert.alertRef) ?? text(alert.pluginid) ?? name,
    name,
    risk: text(alert.riskcode),
    confidence: text(alert.confidence),
    description: text(alert.desc),
    solution: text(alert.solution),
    reference: text(alert.reference),
    weakness: text(alert.cweid),
    tags: objects(alert.tags).flatMap(({ tag }) => text(tag) ?? []),
    instances: objects(alert.instances).map((one) => ({
      uri: text(one.uri),
      method: text(one.method),
      param: text(one.param),
      evidence: text(one.evidence),
    })),
  };
}

function readAlert(alert: Alert): ReadDetection {
  const addresses = [
    ...new Set(
      alert.instances.flatMap(({ uri, method, param }) =>
        uri ? [[method, uri, param && `(${param})`].filter(Boolean).join(' ')] : [],
      ),
    ),
  ].sort();
  const first = alert.instances
    .map((one) => one.uri)
    .filter((uri) => uri !== undefined)
    .sort()[0];
  return webResult({
    source,
    target: [alert.site, alert.name],
    title: `${alert.name} on ${alert.site || 'the site'}`,
    description: [
      withoutMarkup(alert.description),
      addresses.length > 0 &&
        `Seen at:\n${addresses
          .slice(0, 50)
          .map((one) => `- \`${one}\``)
          .join('\n')}`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    severity: severityOfRisk[alert.risk ?? ''] ?? 'info',
    confidence: confidences[alert.confidence ?? ''] ?? null,
    rule: {
      id: alert.id,
      name: alert.name,
      url: /^\d+/.test(alert.id) ? `https://www.zaproxy.org/docs/alerts/${encodeURIComponent(alert.id)}/` : undefined,
      tags: alert.tags,
    },
    location: { url: shownAddress(first) },
    places: alert.instances.map(({ uri }) => ({ path: pathOf(uri), start_line: null, end_line: null, commit: null })),
    identifiers: weaknesses(alert.weakness ? [alert.weakness] : []),
    evidence: alert.instances
      .map((one) => one.evidence)
      .filter((one) => one !== undefined)
      .sort()[0],
    remediation: withoutMarkup(alert.solution),
    references: alert.reference?.match(/https?:\/\/[^\s<>"]+/g) ?? [],
    suppression:
      alert.confidence === '0' ? { status: 'false_positive', reason: 'Marked as a false positive in ZAP.' } : undefined,
  });
}

/** ZAP's numbers; 4 is confirmed by a person. */
const confidences: Record<string, Confidence> = { 1: 'low', 2: 'medium', 3: 'high', 4: 'high' };

const pathOf = (uri: string | undefined): string | null =>
  uri !== undefined && URL.canParse(uri) ? new URL(uri).pathname.slice(0, 2_000) : null;

/** ZAP writes its texts as HTML paragraphs. */
const withoutMarkup = (text: string | undefined): string | undefined =>
  text
    ?.replace(/<\/p>\s*/g, '\n\n')
    .replace(/<[^<>]*>/g, '')
    .trim();
