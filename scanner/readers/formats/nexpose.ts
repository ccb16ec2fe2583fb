import { type Severity, severityFromCvss } from '../../contract/severity.ts';
import type { Suppression } from '../../contract/suppression.ts';
import { readCsv } from '../csv.ts';
import { peek } from '../decode.ts';
import { type Definition, type Explained, withDefinitions } from '../definitions.ts';
import type { Chunks, Format, ReadDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { advisoryIdentifiers } from '../identifiers.ts';
import { withoutMarkup } from '../markup.ts';
import { cvssScore } from '../severity-words.ts';
import { number } from '../values.ts';
import { webResult } from '../web-result.ts';
import { child, childrenOf, readXml, type XmlElement } from '../xml/xml.ts';

const source = 'nexpose';

type Result = {
  id: string;
  host: string;
  port: string;
  /** Distinguishes the results of one test, such as by page or file; often empty. */
  key: string;
  output: string;
  suppression: Suppression | undefined;
};

/**
 * Reports of Rapid7 InsightVM and Nexpose: XML Export 2.0 (`NexposeReport`) and CSV, as “Working with report formats”
 * and “Export template attributes” of its documentation describe them. One finding for each vulnerability, host, port
 * and key; results that differ only in their proof are one. Severity: Rapid7's number from 1 to 10, interpreted like
 * CVSS. Vulnerabilities with an exception are accepted risks.
 */
export const nexpose: Format = {
  name: 'nexpose',
  title: 'Rapid7 InsightVM and Nexpose',
  recognise(head) {
    if (head.kind === 'xml') return head.element === 'NexposeReport' ? 1 : 0;
    const [header = ''] = head.text.slice(0, 8_000).split('\n', 1);
    return head.kind === 'text' && /\bAsset IP Address\b/i.test(header) && /\bVulnerability ID\b/i.test(header) ? 1 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    const [start, whole] = await peek(chunks, 1_024);
    if (!start.toString('latin1').trimStart().startsWith('<')) yield* csvResults(whole);
    else
      for await (const { result, definition } of withDefinitions(joined(xmlItems(whole)), context))
        yield readResult(result, definition);
  },
};

const root = 'NexposeReport';
const node = `${root}/nodes/node`;
const endpoint = `${node}/endpoints/endpoint`;
const definition = `${root}/VulnerabilityDefinitions/vulnerability`;
const tests = [node, endpoint, `${endpoint}/services/service`].map((at) => `${at}/tests/test`);
const wanted = new Set([...tests, definition]);

async function* xmlItems(chunks: Chunks): AsyncGenerator<Explained<Result>> {
  let host = '';
  let port = '';
  for await (const event of readXml(chunks, wanted)) {
    if (event.kind === 'start' && !event.path.startsWith(root))
      throw new FormatError(`This is not a file of Nexpose: its root is not “${root}”.`, { line: 1 });
    if (event.kind === 'start' && event.path === node) host = event.attributes.address ?? '';
    if (event.kind === 'start' && event.path === endpoint)
      port = portOf(event.attributes.port, event.attributes.protocol);
    if (event.kind === 'end' && event.path === endpoint) port = '';
    if (event.kind !== 'item') continue;
    const { element, line } = event;
    const { id, key = '', status = '' } = element.attributes;
    if (!id) throw new FormatError('A test must have an “id”.', { line });
    // The definitions and the tests do not always agree on upper and lower case.
    if (event.path === definition) yield { definition: definitionOf(element, id.toLowerCase()), line };
    else if (/vulnerable-(exploited|version|potential)/.test(status))
      yield {
        result: {
          id: id.toLowerCase(),
          host,
          port,
          key,
          output: contentOf(element),
          suppression: status.includes('exception') ? excepted : undefined,
        },
      };
  }
}

const excepted: Suppression = { status: 'accepted_risk', reason: 'Has an exception in Nexpose.' };

const maxOutputLength = 8_000;

/** Merges successive results of one test without their own key. */
async function* joined(items: AsyncIterable<Explained<Result>>): AsyncGenerator<Explained<Result>> {
  let last: Result | null = null;
  for await (const item of items) {
    const next = 'result' in item ? item.result : null;
    if (last && next && sameTest(last, next)) {
      if (last.output.length < maxOutputLength) last.output += `\n${next.output}`;
      continue;
    }
    if (last) yield { result: last };
    last = next;
    if (next === null) yield item;
  }
  if (last) yield { result: last };
}

const sameTest = (a: Result, b: Result): boolean =>
  a.id === b.id && a.host === b.host && a.port === b.port && a.key === b.key;

const portOf = (port: string | undefined, protocol: string | undefined): string =>
  port && port !== '0' ? [port, protocol?.toLowerCase()].filter(Boolean).join('/') : '';

/** The text of an element and of the elements in it (`Paragraph`, `ListItem`, `URLLink`), one per line. */
function contentOf(element: XmlElement | undefined): string {
  if (element === undefined) return '';
  return [element.text.replace(/\s+/g, ' ').trim(), ...element.children.map(contentOf)].filter(Boolean).join('\n');
}

function definitionOf(element: XmlElement, id: string): Definition {
  const { title, severity, cvssScore: second, cvssV3Score: third } = element.attributes;
  const references = childrenOf(child(element, 'references'), 'reference');
  return {
    id,
    name: title || id,
    severity,
    score: cvssScore(number(third)) || cvssScore(number(second)) || undefined,
    description: contentOf(child(element, 'description')),
    solution: contentOf(child(element, 'solution')),
    identifiers: advisoryIdentifiers(...references.map((one) => one.text)),
    references: references.filter((one) => one.attributes.source === 'URL').map((one) => one.text),
  };
}

/** Codes of vulnerable results, and of those with an exception. */
const vulnerable = /^v[evp]$/i;
const exceptions = /^e[evp]$/i;

async function* csvResults(chunks: Chunks): AsyncGenerator<ReadDetection> {
  const required = ['asset ip address', 'vulnerability id'];
  for await (const { values, line } of readCsv(chunks, required, 'Nexpose')) {
    const of = (...names: string[]) => names.map((name) => values[name]).find(Boolean);
    const id = of('vulnerability id');
    if (id === undefined) throw new FormatError('A row must have a “Vulnerability ID”.', { line });
    const code = of('vulnerability test result code') ?? 've';
    if (!vulnerable.test(code) && !exceptions.test(code)) continue;
    const result = {
      id: id.toLowerCase(),
      host: of('asset ip address') ?? '',
      port: portOf(of('service port'), of('service protocol')),
      key: of('vulnerability test key', 'vulnerability key') ?? '',
      output: withoutMarkup(of('vulnerability proof')) ?? '',
      suppression: exceptions.test(code) ? excepted : undefined,
    };
    yield readResult(result, {
      id: result.id,
      name: of('vulnerability title') ?? id,
      severity: of('vulnerability severity level'),
      score: cvssScore(number(of('vulnerability cvssv3 score'))) || cvssScore(number(of('vulnerability cvss score'))),
      description: withoutMarkup(of('vulnerability description')),
      solution: withoutMarkup(of('vulnerability solution')),
      identifiers: advisoryIdentifiers(of('vulnerability cve ids'), of('vulnerability reference ids')),
      references: (of('vulnerability reference urls') ?? '').split(/[\s,]+/),
    });
  }
}

function severityOfNumber(definition: Definition | undefined): Severity {
  const level = number(definition?.severity) ?? definition?.score;
  return level === undefined ? 'medium' : severityFromCvss(level);
}

function readResult(found: Result, definition: Definition | undefined): ReadDetection {
  const name = definition?.name ?? found.id;
  const place = found.port ? `${found.host}:${found.port}` : found.host;
  return webResult({
    source,
    target: [found.host, found.port, ...(found.key ? [found.key] : [])],
    title: place ? `${name} on ${place}` : name,
    description: definition?.description || name,
    severity: severityOfNumber(definition),
    rule: { id: found.id, name },
    location: { path: place || null },
    identifiers: definition?.identifiers,
    cvss_score: definition?.score,
    evidence: found.output || undefined,
    remediation: definition?.solution,
    references: definition?.references,
    suppression: found.suppression,
  });
}
