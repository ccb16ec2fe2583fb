import { peek } from '../decode.ts';
import type { Chunks, Format, ReadDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { hasPaths } from '../head.ts';
import { advisoryIdentifiers, weaknesses } from '../identifiers.ts';
import { withoutMarkup } from '../markup.ts';
import { cvssScore, severityOf } from '../severity-words.ts';
import { number } from '../values.ts';
import { shownAddress, webResult } from '../web-result.ts';
import { child, childrenOf, childText, readXml, type XmlElement } from '../xml/xml.ts';
import { acunetixJson } from './acunetix-json.ts';

const source = 'acunetix';

const items = new Set(['ScanGroup/Scan/StartURL', 'ScanGroup/Scan/ReportItems/ReportItem']);

/**
 * Acunetix' XML export (`ScanGroup`), and the JSON of Acunetix 360. One finding for each vulnerability, address and
 * parameter. Severity: Acunetix' word. Requests and responses are not kept: they contain sessions.
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
      // Old versions write them without the list.
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
