import { readCsv } from '../csv.ts';
import { peek } from '../decode.ts';
import type { Chunks, Format, ReadDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { advisoryIdentifiers } from '../identifiers.ts';
import { cvssScore, severityOf } from '../severity-words.ts';
import { number } from '../values.ts';
import { webResult } from '../web-result.ts';
import { child, childrenOf, childText, readXml, type XmlElement } from '../xml/xml.ts';

const source = 'openvas';

type Result = {
  host: string;
  port: string;
  oid: string;
  name: string;
  threat: string | undefined;
  score: number | undefined;
  summary: string | undefined;
  detail: string | undefined;
  solution: string | undefined;
  identifiers: string[];
  references: string[];
};

/**
 * OpenVAS' (Greenbone's) XML and CSV reports. One finding for each test, host and port. Severity: its word (Log is
 * `info`), or the score. Results that Greenbone marks as false positives arrive suppressed.
 */
export const openvas: Format = {
  name: 'openvas',
  title: 'OpenVAS (Greenbone)',
  recognise(head) {
    if (head.kind === 'text')
      return /^"?IP"?,"?Hostname"?,"?Port"?/i.test(head.text) && /NVT (OID|Name)/i.test(head.text.slice(0, 1_000))
        ? 1
        : 0;
    if (head.element === 'get_reports_response') return 1;
    return head.element === 'report' && /<gmp>|<omp>|format_id=|<report_format/.test(head.text) ? 1 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    const [start, whole] = await peek(chunks, 1_024);
    const results = start.toString('latin1').trimStart().startsWith('<') ? xmlResults(whole) : csvResults(whole);
    for await (const result of results) yield readResult(result);
  },
};

const xmlPaths = new Set([
  'report/report/results/result',
  'report/results/result',
  'get_reports_response/report/report/results/result',
]);

async function* xmlResults(chunks: Chunks): AsyncGenerator<Result> {
  for await (const event of readXml(chunks, xmlPaths)) {
    if (event.kind === 'start' && !/^(report|get_reports_response)/.test(event.path)) {
      throw new FormatError('This is not a file of OpenVAS: its root is not “report”.', { line: 1 });
    }
    if (event.kind === 'item') yield xmlResult(event.element, event.line);
  }
}

function xmlResult(result: XmlElement, line: number): Result {
  const test = child(result, 'nvt');
  const name = childText(result, 'name') ?? childText(test, 'name');
  if (name === undefined) throw new FormatError('A result must have a “name”.', { line });
  const tags = new Map(
    (childText(test, 'tags') ?? '')
      .split('|')
      .map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]),
  );
  const references = childrenOf(child(test, 'refs'), 'ref');
  return {
    host: childText(result, 'host') ?? '',
    port: childText(result, 'port') ?? '',
    oid: test?.attributes.oid ?? name,
    name,
    threat: childText(result, 'threat'),
    score: cvssScore(number(childText(result, 'severity') ?? childText(test, 'cvss_base'))),
    summary: tags.get('summary'),
    detail: childText(result, 'description'),
    solution: childText(test, 'solution') ?? tags.get('solution'),
    identifiers: advisoryIdentifiers(childText(test, 'cve'), ...references.map((one) => one.attributes.id)),
    references: references.filter((one) => one.attributes.type === 'url').map((one) => one.attributes.id ?? ''),
  };
}

async function* csvResults(chunks: Chunks): AsyncGenerator<Result> {
  for await (const { values } of readCsv(chunks, ['ip', 'port', 'severity', 'nvt name'], 'OpenVAS')) {
    const of = (name: string) => values[name] || undefined;
    yield {
      host: of('ip') ?? of('hostname') ?? '',
      port: [of('port') ?? 'general', of('port protocol')].filter(Boolean).join('/'),
      oid: of('nvt oid') ?? of('nvt name') ?? 'unnamed',
      name: of('nvt name') ?? 'Unnamed',
      threat: of('severity'),
      score: cvssScore(number(of('cvss'))),
      summary: of('summary'),
      detail: of('specific result'),
      solution: of('solution'),
      identifiers: advisoryIdentifiers(of('cves')),
      references: of('other references')?.match(/https?:\/\/[^\s,"]+/g) ?? [],
    };
  }
}

function readResult(result: Result): ReadDetection {
  const word = result.threat?.toLowerCase();
  const place = result.port ? `${result.host}:${result.port}` : result.host;
  return webResult({
    source,
    target: [result.host, result.port],
    title: `${result.name} on ${place}`,
    description: [result.summary, result.detail].filter(Boolean).join('\n\n') || result.name,
    severity: word === 'log' || word === 'debug' ? 'info' : severityOf(word, result.score),
    rule: { id: result.oid, name: result.name },
    location: { path: place || null },
    identifiers: result.identifiers,
    cvss_score: result.score,
    evidence: undefined,
    remediation: result.solution,
    references: result.references,
    suppression:
      word === 'false positive'
        ? { status: 'false_positive', reason: 'Marked as a false positive in Greenbone.' }
        : undefined,
  });
}
