import type { Format, ReadDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { advisoryIdentifiers } from '../identifiers.ts';
import { cvssScore, severityOf } from '../severity-words.ts';
import { number } from '../values.ts';
import { webResult } from '../web-result.ts';
import { child, childrenOf, readXml, type XmlElement } from '../xml/xml.ts';

const source = 'nmap';

/**
 * Nmap's XML. An open port is an `info` finding of its host; CVEs that the script `vulners` reports are findings with
 * its CVSS score; results that a script of the `vuln` library calls vulnerable are `high`. A host is identified by its
 * address. Without `exit="success"`, or if Nmap gave up on a host or no port responded, no findings are closed: Nmap
 * also succeeds if the host was down.
 */
export const nmap: Format = {
  name: 'nmap',
  title: 'Nmap',
  recognise: (head) => (head.element === 'nmaprun' ? 1 : 0),
  async *read(chunks, context) {
    context.covers(source);
    let finished = false;
    let hosts = 0;
    let responding = 0;
    for await (const event of readXml(chunks, new Set(['nmaprun/host', 'nmaprun/runstats']))) {
      if (event.kind === 'start' && !event.path.startsWith('nmaprun')) {
        throw new FormatError('This is not a file of Nmap: its root is not “nmaprun”.', { line: 1 });
      }
      if (event.kind === 'start' && event.path === 'nmaprun') context.version(source, event.attributes.version);
      if (event.kind !== 'item') continue;
      if (event.path === 'nmaprun/host') {
        hosts += 1;
        if (responds(event.element)) responding += 1;
        if (event.element.attributes.timedout === 'true')
          context.incomplete(`Nmap gave up ${addressOf(event.element)}: its time was up.`);
        yield* readHost(event.element);
      } else finished = child(event.element, 'finished')?.attributes.exit !== 'error';
    }
    if (!finished) context.incomplete('Nmap did not run to its end.');
    if (hosts > 0 && responding === 0) context.incomplete('No port responded: the host may be down.');
  },
};

function addressOf(host: XmlElement): string {
  const addresses = childrenOf(host, 'address').filter((one) => one.attributes.addrtype !== 'mac');
  return addresses[0]?.attributes.addr ?? 'an unknown host';
}

/** Whether a port of the host is open, or refused a connection. */
function responds(host: XmlElement): boolean {
  const ports = child(host, 'ports');
  const states = [
    ...childrenOf(ports, 'extraports').map(({ attributes }) => attributes.state),
    ...childrenOf(ports, 'port').map((port) => child(port, 'state')?.attributes.state),
  ];
  return states.some((state) => /^(open|closed|unfiltered)$/.test(state ?? ''));
}

function* readHost(host: XmlElement): Generator<ReadDetection> {
  const address = addressOf(host);
  for (const port of childrenOf(child(host, 'ports'), 'port')) {
    if (child(port, 'state')?.attributes.state !== 'open') continue;
    const name = `${port.attributes.portid ?? '?'}/${port.attributes.protocol ?? 'tcp'}`;
    const target: Target = { address, name, port };
    yield openPort(target);
    for (const script of childrenOf(port, 'script')) yield* scriptResults(script, target);
  }
  for (const script of childrenOf(child(host, 'hostscript'), 'script'))
    yield* scriptResults(script, { address, name: 'host', port: host });
}

type Target = { address: string; name: string; port: XmlElement };

function openPort({ address, name, port }: Target): ReadDetection {
  const { attributes = {} } = child(port, 'service') ?? {};
  const service = [attributes.product, attributes.version, attributes.extrainfo].filter(Boolean).join(' ');
  return webResult({
    source,
    target: [address, name],
    title: `Open port ${name}${attributes.name ? ` (${attributes.name})` : ''} on ${address}`,
    description: `Port ${name} of ${address} is open.${service ? ` It says that it is ${service}.` : ''}`,
    severity: 'info',
    rule: { id: 'open-port', name: 'Open port' },
    location: { path: `${address}:${name}` },
  });
}

function* scriptResults(script: XmlElement, target: Target): Generator<ReadDetection> {
  const id = script.attributes.id ?? 'script';
  if (id === 'vulners') {
    for (const entry of tablesOf(script)) {
      const known = elemOf(entry, 'id');
      if (known && advisoryIdentifiers(known).length > 0)
        yield weakness(id, known, cvssScore(number(elemOf(entry, 'cvss'))), target);
    }
    return;
  }
  for (const entry of tablesOf(script)) {
    const state = elemOf(entry, 'state') ?? '';
    if (!/^(LIKELY )?VULNERABLE/.test(state)) continue;
    const title = elemOf(entry, 'title') ?? id;
    yield weakness(
      id,
      advisoryIdentifiers(entry.attributes.key, title)[0] ?? entry.attributes.key ?? id,
      undefined,
      target,
      title,
    );
  }
}

function weakness(
  script: string,
  id: string,
  score: number | undefined,
  { address, name }: Target,
  title = id,
): ReadDetection {
  return webResult({
    source,
    target: [address, name],
    title: `${title} on ${address}:${name}`,
    description: `The script \`${script}\` reports ${id} for ${address}, port ${name}.`,
    severity: severityOf(undefined, score, 'high'),
    rule: { id, name: title },
    location: { path: `${address}:${name}` },
    identifiers: advisoryIdentifiers(id),
    cvss_score: score,
    references: /^CVE-/.test(id) ? [`https://nvd.nist.gov/vuln/detail/${id}`] : [],
  });
}

/** All tables in a script's output that contain elements directly. */
function tablesOf(element: XmlElement): XmlElement[] {
  return childrenOf(element, 'table').flatMap((table) => [
    ...(child(table, 'elem') ? [table] : []),
    ...tablesOf(table),
  ]);
}

const elemOf = (table: XmlElement, key: string): string | undefined =>
  childrenOf(table, 'elem').find((elem) => elem.attributes.key === key)?.text;
