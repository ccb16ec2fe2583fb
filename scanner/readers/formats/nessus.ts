import type { Severity } from '../../contract/severity.ts';
import { readCsv } from '../csv.ts';
import { peek } from '../decode.ts';
import type { Chunks, Format, ReadDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { advisoryIdentifiers, weaknesses } from '../identifiers.ts';
import { cvssScore, severityOf } from '../severity-words.ts';
import { number } from '../values.ts';
import { webResult } from '../web-result.ts';
import { childrenOf, childText, readXml, type XmlElement } from '../xml/xml.ts';

const source = 'nessus';

type Item = {
  host: string;
  port: string;
  plugin: string;
  /** Distinguishes the checks of a compliance plugin; empty for other plugins. */
  check: string;
  name: string;
  severity: Severity;
  score: number | undefined;
  texts: Array<string | undefined>;
  output: string | undefined;
  solution: string | undefined;
  cves: string[];
  weaknesses: string[];
  references: string[];
};

/**
 * Nessus's reports: the file format `NessusClientData_v2` as Tenable documents it (“Nessus v2 File Format”), and the
 * CSV of Nessus and of Tenable Vulnerability Management. One finding for each plugin, host and port; compliance checks
 * that passed are not findings. Severity: the report's; 0 or None is `info`.
 */
export const nessus: Format = {
  name: 'nessus',
  title: 'Nessus',
  recognise(head) {
    if (head.kind === 'xml') return head.element === 'NessusClientData_v2' ? 1 : 0;
    const [header = ''] = head.text.slice(0, 8_000).split('\n', 1);
    if (head.kind !== 'text') return 0;
    return (/\bPlugin ID\b/.test(header) && /\bRisk\b/.test(header)) || /\bdefinition\.id\b/.test(header) ? 1 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    const [start, whole] = await peek(chunks, 8_000);
    const isXml = start.toString('latin1').trimStart().startsWith('<');
    const items = isXml ? xmlItems(whole) : joined(csvItems(whole, start.includes('definition.id')));
    for await (const item of items) yield readItem(item);
  },
};

const hostPath = 'NessusClientData_v2/Report/ReportHost';
const wanted = new Set([`${hostPath}/ReportItem`]);

async function* xmlItems(chunks: Chunks): AsyncGenerator<Item> {
  let host = '';
  for await (const event of readXml(chunks, wanted)) {
    if (event.kind === 'start' && !event.path.startsWith('NessusClientData_v2'))
      throw new FormatError('This is not a file of Nessus: its root is not “NessusClientData_v2”.', { line: 1 });
    if (event.kind === 'start' && event.path === hostPath) host = event.attributes.name ?? '';
    if (event.kind !== 'item') continue;
    if (!event.element.attributes.pluginID)
      throw new FormatError('A ReportItem must have a “pluginID”.', { line: event.line });
    if (childText(event.element, 'compliance-result') !== 'PASSED') yield xmlItem(event.element, host);
  }
}

const levels: Record<string, Severity> = { 0: 'info', 1: 'low', 2: 'medium', 3: 'high', 4: 'critical' };

function xmlItem(item: XmlElement, host: string): Item {
  const { attributes } = item;
  const of = (name: string) => childText(item, name);
  const all = (name: string) => childrenOf(item, name).map((one) => one.text);
  const score = cvssScore(number(of('cvss3_base_score') ?? of('cvss_base_score')));
  const check = of('compliance-check-name');
  return {
    host,
    port: portOf(attributes.port, attributes.protocol),
    plugin: attributes.pluginID!,
    check: of('compliance-check-id') ?? check ?? '',
    name: check ?? (attributes.pluginName || `Plugin ${attributes.pluginID}`),
    severity: levels[attributes.severity ?? ''] ?? severityOf(of('risk_factor'), score),
    score,
    texts: [of('synopsis'), of('description')],
    output: of('plugin_output') ?? of('compliance-actual-value'),
    solution: of('solution') ?? of('compliance-solution'),
    cves: all('cve'),
    weaknesses: weaknesses(all('cwe')),
    references: all('see_also').flatMap((text) => text.split(/\s+/)),
  };
}

async function* csvItems(chunks: Chunks, isPlatform: boolean): AsyncGenerator<Item> {
  const required = isPlatform ? ['definition.id', 'severity'] : ['plugin id', 'risk', 'host', 'name'];
  for await (const { values, line } of readCsv(chunks, required, 'Nessus')) {
    const of = (...names: string[]) => names.map((name) => values[name]).find(Boolean);
    const plugin = of('plugin id', 'definition.id');
    if (plugin === undefined) throw new FormatError('A row must have the number of its plugin.', { line });
    const score = cvssScore(
      number(of('cvss v3.0 base score', 'definition.cvss3.base_score', 'cvss v2.0 base score', 'cvss')),
    );
    if (/^fixed$/i.test(of('state') ?? '')) continue;
    yield {
      host: of('host', 'asset.name', 'asset.host_name', 'asset.display_ipv4_address') ?? '',
      port: portOf(of('port'), of('protocol')),
      plugin,
      check: '',
      name: of('name', 'definition.name') ?? `Plugin ${plugin}`,
      severity: severityOf(of('risk', 'severity'), score),
      score,
      texts: [of('synopsis', 'definition.synopsis'), of('description', 'definition.description')],
      output: of('plugin output', 'output'),
      solution: of('solution', 'definition.solution'),
      cves: [of('cve', 'definition.cve') ?? ''],
      weaknesses: weaknesses((of('definition.cwe') ?? '').match(/\d+/g) ?? []),
      references: (of('see also', 'definition.see_also') ?? '').split(/[\s,]+/),
    };
  }
}

/** Merges the successive rows that Nessus writes for one result, one per CVE number. */
async function* joined(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  let last: Item | null = null;
  for await (const item of items) {
    if (last && last.plugin === item.plugin && last.host === item.host && last.port === item.port) {
      if (last.cves.length < 1_000) last.cves.push(...item.cves);
      continue;
    }
    if (last) yield last;
    last = item;
  }
  if (last) yield last;
}

/** Port 0 means the host itself. */
const portOf = (port: string | undefined, protocol: string | undefined): string =>
  port && port !== '0' ? [port, protocol?.toLowerCase()].filter(Boolean).join('/') : '';

function readItem(item: Item): ReadDetection {
  const place = item.port ? `${item.host}:${item.port}` : item.host;
  return webResult({
    source,
    target: [item.host, item.port, ...(item.check ? [item.check] : [])],
    title: place ? `${item.name} on ${place}` : item.name,
    description: item.texts.filter(Boolean).join('\n\n') || item.name,
    severity: item.severity,
    rule: {
      id: item.plugin,
      name: item.name,
      url: `https://www.tenable.com/plugins/nessus/${encodeURIComponent(item.plugin)}`,
    },
    location: { path: place || null },
    identifiers: [...advisoryIdentifiers(...item.cves), ...item.weaknesses],
    cvss_score: item.score,
    evidence: item.output,
    remediation: item.solution === 'n/a' ? undefined : item.solution,
    references: item.references,
  });
}
