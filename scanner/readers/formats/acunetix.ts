import type { Suppression } from '../../contract/suppression.ts';
import { peek } from '../decode.ts';
import type { Chunks, Format, ReadDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { hasPaths } from '../head.ts';
import { advisoryIdentifiers, weaknesses } from '../identifiers.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requiredText, requireRootMember } from '../json/json.ts';
import { withoutMarkup } from '../markup.ts';
import { cvssScore, severityOf } from '../severity-words.ts';
import { number, object, objects, text, texts } from '../values.ts';
import { shownAddress, stableAddress, webResult } from '../web-result.ts';
import { child, childrenOf, childText, readXml, type XmlElement } from '../xml/xml.ts';

/**
 * The JSON report of Acunetix 360, which Invicti (Netsparker) writes too. One finding for each type, address and names
 * of the parameters of the request; their values are the scanner's probes.
 */
async function* acunetixJson(chunks: Chunks, source: string): AsyncGenerator<ReadDetection> {
  for await (const event of readJson(chunks, ['Vulnerabilities[*]'])) {
    requireRootMember(event, ['Target'], 'Acunetix');
    if (event.kind !== 'item') continue;
    const found = objectAt(event.value, event.path);
    const state = text(found.State) ?? '';
    if (!/\bfixed\b/i.test(state)) yield readFound(found, event.path, state, source);
  }
}

function readFound(found: JsonObject, path: JsonPath, state: string, source: string): ReadDetection {
  const name = requiredText(found, 'Name', path);
  const address = requiredText(found, 'Url', path);
  const type = text(found.Type) ?? name;
  const stable = stableAddress(address) ?? address;
  const classification = object(found.Classification);
  const rated = object(classification.Cvss31).BaseScore ?? object(classification.Cvss).BaseScore;
  const score = cvssScore(number(object(rated).Value)) || undefined;
  const parameters = objects(object(found.HttpRequest).Parameters).flatMap((one) => texts(one.Name));
  const names = [...new Set(parameters)].sort();
  const severity = text(found.Severity);
  return webResult({
    source,
    target: [stable, ...names],
    title: `${name} at ${stable}`,
    description: [found.Description, found.Impact]
      .map((one) => withoutMarkup(text(one)))
      .filter(Boolean)
      .join('\n\n'),
    severity: /^best ?practice$/i.test(severity ?? '') ? 'info' : severityOf(severity, score),
    rule: { id: type, name },
    location: { url: shownAddress(stable) },
    identifiers: [
      ...advisoryIdentifiers(...objects(found.KnownVulnerabilities).map((one) => text(one.Title))),
      ...weaknesses((text(classification.Cwe) ?? '').match(/\d+/g) ?? []),
    ],
    cvss_score: score,
    evidence: undefined,
    remediation: withoutMarkup(text(found.RemedialProcedure) ?? text(found.RemedialActions)),
    references: text(found.ExternalReferences)?.match(/https?:\/\/[^\s<>"']+/g) ?? [],
    suppression: suppressionOf(state),
  });
}

function suppressionOf(state: string): Suppression | undefined {
  if (/false ?positive/i.test(state))
    return { status: 'false_positive', reason: 'Marked as a false positive in Acunetix.' };
  return /accepted ?risk/i.test(state) ? { status: 'accepted_risk', reason: 'Accepted in Acunetix.' } : undefined;
}

const source = 'acunetix';

const items = new Set(['ScanGroup/Scan/StartURL', 'ScanGroup/Scan/ReportItems/ReportItem']);

/**
 * Acunetix' XML export (`ScanGroup`), and the JSON of Acunetix 360. One finding for each vulnerability, address and
 * parameter. Severity: Acunetix's word. Requests and responses are not stored: they contain sessions.
 */
export const acunetix: Format = {
  name: 'acunetix',
  title: 'Acunetix, Acunetix 360 and Invicti',
  recognise(head) {
    if (head.kind === 'json') return hasPaths(head, 'Target.ScanId', 'Vulnerabilities') ? 1 : 0;
    return head.element === 'ScanGroup' ? 1 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    const [start, whole] = await peek(chunks, 1_024);
    yield* start.toString('latin1').trimStart().startsWith('<') ? xmlResults(whole) : acunetixJson(whole, source);
  },
};

async function* xmlResults(chunks: Chunks): AsyncGenerator<ReadDetection> {
  let site = '';
  for await (const event of readXml(chunks, items)) {
    if (event.kind === 'start' && !event.path.startsWith('ScanGroup'))
      throw new FormatError('This is not a file of Acunetix: its root is not “ScanGroup”.', { line: 1 });
    if (event.kind !== 'item') continue;
    if (event.path.endsWith('StartURL')) site = siteOf(event.element.text);
    else yield readItem(event.element, site, event.line);
  }
}

/** `https://shop.example/start` is `https://shop.example`; a name without a scheme stays. */
const siteOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : address);

function readItem(item: XmlElement, site: string, line: number): ReadDetection {
  const of = (name: string) => childText(item, name);
  const name = of('Name');
  if (name === undefined) throw new FormatError('A ReportItem must have a “Name”.', { line });
  const affects = of('Affects') ?? '';
  const parameter = of('Parameter') ?? '';
  const score = cvssScore(number(childText(child(item, 'CVSS3') ?? child(item, 'CVSS') ?? item, 'Score')));
  const cves = childrenOf(child(item, 'CVEList'), 'CVE').map((one) => childText(one, 'Text') ?? one.text);
  return webResult({
    source,
    target: [site, affects, parameter],
    title: `${name} at ${site}${affects}`,
    description: [of('Description'), of('Impact'), of('Details'), parameter && `Parameter: ${parameter}`]
      .map(withoutMarkup)
      .filter(Boolean)
      .join('\n\n'),
    severity: severityOf(of('Severity'), score),
    rule: { id: name, name },
    location: { url: shownAddress(`${site}${affects.startsWith('/') ? affects : `/${affects}`}`) },
    identifiers: [
      ...advisoryIdentifiers(...cves),
      // Old versions write them without the enclosing list.
      ...weaknesses(
        [...childrenOf(child(item, 'CWEList'), 'CWE'), ...childrenOf(item, 'CWE')].map(
          (one) => one.text || one.attributes.id,
        ),
      ),
    ],
    cvss_score: score,
    evidence: undefined,
    remediation: withoutMarkup(of('Recommendation')),
    references: childrenOf(child(item, 'References'), 'Reference').map((one) => childText(one, 'URL') ?? ''),
    suppression:
      of('IsFalsePositive')?.toLowerCase() === 'true'
        ? { status: 'false_positive', reason: 'Marked as a false positive in Acunetix.' }
        : undefined,
  });
}
