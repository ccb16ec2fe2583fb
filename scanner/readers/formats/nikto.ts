import { peek } from '../decode.ts';
import type { Chunks, Format, ReadContext, ReadDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { advisoryIdentifiers } from '../identifiers.ts';
import { type JsonObject, objectAt, readJson, requiredText } from '../json/json.ts';
import { objects, text } from '../values.ts';
import { shownAddress, webResult } from '../web-result.ts';
import { childText, readXml } from '../xml/xml.ts';

const source = 'nikto';

type Item = {
  id: string;
  known: string | undefined;
  method: string | undefined;
  message: string;
  path: string;
  site: string;
  references: string;
};

/**
 * Nikto's XML and JSON. Nikto reports no severity: results with a number of OSVDB, a list of known weaknesses, are
 * `medium`, its other remarks `info`. Identity: test, site, path and the message.
 */
export const nikto: Format = {
  name: 'nikto',
  title: 'Nikto',
  recognise(head) {
    if (head.kind === 'json') {
      const has = (name: string) => head.paths.has(name) || head.paths.has(`[].${name}`);
      return has('host') && (has('vulnerabilities[].msg') || (has('vulnerabilities') && has('banner'))) ? 1 : 0;
    }
    return head.element === 'niktoscan' ? 1 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    const [start, whole] = await peek(chunks, 1_024);
    const items = start.toString('latin1').trimStart().startsWith('<') ? xmlItems(whole, context) : jsonItems(whole);
    for await (const item of items) yield readItem(item);
  },
};

const details = new Set(['niktoscan/scandetails', 'niktoscan/niktoscan/scandetails']);
const itemPaths = new Set([...details].map((path) => `${path}/item`));

async function* xmlItems(chunks: Chunks, context: ReadContext): AsyncGenerator<Item> {
  let site = '';
  for await (const event of readXml(chunks, itemPaths)) {
    if (event.kind === 'start' && !event.path.startsWith('niktoscan')) {
      throw new FormatError('This is not a file of Nikto: its root is not “niktoscan”.', { line: 1 });
    }
    if (event.kind === 'start' && event.path.endsWith('niktoscan')) context.version(source, event.attributes.version);
    if (event.kind === 'start' && details.has(event.path)) {
      site = `${event.attributes.targethostname || event.attributes.targetip || ''}:${event.attributes.targetport ?? ''}`;
    }
    if (event.kind !== 'item') continue;
    const { attributes } = event.element;
    const message = childText(event.element, 'description');
    if (message === undefined) throw new FormatError('An item must have a “description”.', { line: event.line });
    const path = childText(event.element, 'uri') ?? '/';
    yield {
      id: attributes.id ?? 'unnamed',
      known: attributes.osvdbid,
      method: attributes.method,
      message,
      path,
      site,
      references: childText(event.element, 'references') ?? '',
    };
  }
}

/** One host, or an array of them; Nikto's JSON is small, so a host is read at once. */
async function* jsonItems(chunks: Chunks): AsyncGenerator<Item> {
  for await (const event of readJson(chunks, [''])) {
    if (event.kind !== 'item') continue;
    for (const [index, value] of (Array.isArray(event.value) ? event.value : [event.value]).entries()) {
      yield* hostItems(objectAt(value, Array.isArray(event.value) ? [index] : []), index);
    }
  }
}

function* hostItems(host: JsonObject, index: number): Generator<Item> {
  if (host.host === undefined)
    throw new FormatError('This is not a file of Nikto: it has no “host”.', { path: `$[${index}]` });
  for (const [place, found] of objects(host.vulnerabilities).entries()) {
    yield {
      id: text(found.id) ?? 'unnamed',
      known: text(found.OSVDB),
      method: text(found.method),
      message: requiredText(found, 'msg', [index, 'vulnerabilities', place]),
      path: text(found.url) ?? '/',
      site: `${text(host.host) ?? text(host.ip) ?? ''}:${text(host.port) ?? ''}`,
      references: text(found.references) ?? '',
    };
  }
}

function readItem({ id, known, method, message, path, site, references }: Item): ReadDetection {
  const secure = site.endsWith(':443') ? 'https' : 'http';
  return webResult({
    source,
    target: [site, path, message],
    title: message,
    description: `${message}\n\nSeen with ${method ?? 'GET'} ${path} on ${site}.`,
    severity: Number(known) > 0 ? 'medium' : 'info',
    rule: { id, name: Number(known) > 0 ? `OSVDB-${known}` : `Nikto test ${id}` },
    location: { url: shownAddress(`${secure}://${site.replace(/:$/, '')}${path.startsWith('/') ? path : `/${path}`}`) },
    identifiers: advisoryIdentifiers(message, references),
    evidence: undefined,
    references: references.match(/https?:\/\/[^\s<>"]+/g) ?? [],
  });
}
