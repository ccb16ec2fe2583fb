import { readCsv } from '../csv.ts';
import { peek } from '../decode.ts';
import type { Chunks, Format, ReadDetection } from '../format.ts';
import { advisoryIdentifiers, weaknesses } from '../identifiers.ts';
import { objectAt, readJson, requiredText } from '../json/json.ts';
import { severityFromWord } from '../severity-words.ts';
import { text } from '../values.ts';
import { webResult } from '../web-result.ts';

const source = 'testssl';

/** Lines that summarise the others or describe the scan itself. */
const summaries = /^(?:.*_score(?:_weighted)?|overall_grade|grade_cap_reason_\d+|scanTime|engine_problem_?.*scan.*)$/;

/** Each cipher and simulated client has a separate id: all ciphers of a protocol, and all clients, are one rule. */
const families: Array<[RegExp, string, string]> = [
  [/^clientsimulation-.*$/, 'clientsimulation', 'Connection of a simulated client'],
  [/^cipher-(tls\d(?:_\d)?|ssl[v\d]+)_x[\da-f]+$/i, 'cipher-$1', 'Cipher suite offered by the site'],
  [/^cipher_x[\da-f]+$/i, 'cipher', 'Cipher suite offered by the site'],
];

type Line = { id: string; address: string; port: string; severity: string; finding: string; cve: string; cwe: string };

/**
 * testssl.sh's flat CSV and JSON. One finding for each check of a site, over all of its addresses. Severity: its word;
 * WARN (something could not be tested) is `info`, OK is not a finding. The rating and its scores summarise the other
 * lines and are left out.
 */
export const testssl: Format = {
  name: 'testssl',
  title: 'testssl.sh',
  recognise(head) {
    if (head.kind === 'json')
      return head.paths.has('[].finding') && head.paths.has('[].ip') && head.paths.has('[].severity') ? 1 : 0;
    return /^"?id"?,"?fqdn\/ip"?,"?port"?/.test(head.text) ? 1 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    const [start, whole] = await peek(chunks, 1_024);
    const lines = start.toString('latin1').trimStart().startsWith('[') ? jsonLines(whole) : csvLines(whole);
    for await (const line of lines) {
      if (!summaries.test(line.id) && !/^(OK|DEBUG)$/i.test(line.severity)) yield readLine(line);
    }
  },
};

async function* csvLines(chunks: Chunks): AsyncGenerator<Line> {
  for await (const { values } of readCsv(chunks, ['id', 'fqdn/ip', 'port', 'severity', 'finding'], 'testssl.sh')) {
    const { id = '', port = '', severity = '', finding = '', cve = '', cwe = '' } = values;
    yield { id, address: values['fqdn/ip'] ?? '', port, severity, finding, cve, cwe };
  }
}

async function* jsonLines(chunks: Chunks): AsyncGenerator<Line> {
  for await (const event of readJson(chunks, ['[*]'])) {
    if (event.kind !== 'item') continue;
    const value = objectAt(event.value, event.path);
    const of = (name: string) => text(value[name]) ?? '';
    yield {
      id: requiredText(value, 'id', event.path),
      address: of('ip'),
      port: of('port'),
      severity: requiredText(value, 'severity', event.path),
      finding: of('finding'),
      cve: of('cve'),
      cwe: of('cwe'),
    };
  }
}

function readLine(line: Line): ReadDetection {
  const host = line.address.split('/')[0] || line.address;
  const family = families.find(([pattern]) => pattern.test(line.id));
  const site = line.port ? `${host}:${line.port}` : host;
  return webResult({
    source,
    target: family ? [site, line.id] : [site],
    title: `${line.id}: ${line.finding.replace(/\s+/g, ' ').slice(0, 150)} (${site})`,
    description: line.finding || line.id,
    severity:
      severityFromWord(line.severity) === 'medium' && /^warn/i.test(line.severity)
        ? 'info'
        : (severityFromWord(line.severity) ?? 'info'),
    rule: family ? { id: line.id.replace(family[0], family[1]), name: family[2] } : { id: line.id || 'unnamed' },
    location: { url: line.port === '443' ? `https://${host}/` : null },
    places: [{ path: line.address || null, start_line: null, end_line: null, commit: null }],
    identifiers: [...advisoryIdentifiers(line.cve), ...weaknesses(line.cwe ? [line.cwe] : [])],
    evidence: line.finding || undefined,
  });
}
