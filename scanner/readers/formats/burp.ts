import { confidenceFromWord } from '../confidence.ts';
import type { Format, ReadDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { advisoryIdentifiers, weaknesses } from '../identifiers.ts';
import { withoutMarkup } from '../markup.ts';
import { severityOf } from '../severity-words.ts';
import { shownAddress, webResult } from '../web-result.ts';
import { child, childText, readXml, type XmlElement } from '../xml/xml.ts';

const source = 'burp';

/** The type of all issues that extensions report; their names distinguish them. */
const extensionType = '134217728';

/**
 * Issues of the whole site, which one setting of its server or page template fixes. Burp reports them for each visited
 * address. (The names of PortSwigger's “Issue definitions”.)
 */
const ofSite = [
  /^strict transport security/i,
  /^(?:tls|ssl) (?:certificate|cookie without secure flag set)/i,
  /^cookie (?:without httponly flag set|scoped to parent domain)/i,
  /^frameable response/i,
  /^cacheable https response/i,
  /^browser cross-site scripting filter/i,
  /^content security policy/i,
  /^cross-domain (?:referer leakage|script include)/i,
  /^html (?:does not specify|uses unrecognized) charset/i,
  /^(?:content type (?:incorrectly stated|is not specified)|multiple content types specified)/i,
  /^(?:email|private ip) addresses disclosed/i,
  /^(?:unencrypted communications|mixed content|http trace method is enabled)/i,
];

/**
 * Burp Suite's XML report of issues. Severity: Burp's word; “False positive” arrives suppressed. Identity: Burp's type
 * of issue, host, and location (path and parameter), or only the host for issues of the whole site, whose addresses
 * become its locations. The serial number differs in each report. Requests and responses are not stored: they contain
 * sessions.
 */
export const burp: Format = {
  name: 'burp',
  title: 'Burp Suite',
  recognise: (head) => (head.element === 'issues' && /burpVersion|<serialNumber>/.test(head.text) ? 1 : 0),
  async *read(chunks, context) {
    context.covers(source);
    for await (const event of readXml(chunks, new Set(['issues/issue']))) {
      if (event.kind === 'start' && event.path !== 'issues')
        throw new FormatError('This is not a file of Burp: its root is not “issues”.', { line: 1 });
      if (event.kind === 'start') context.version(source, event.attributes.burpVersion);
      if (event.kind === 'item') yield readIssue(event.element, event.line);
    }
  },
};

function readIssue(issue: XmlElement, line: number): ReadDetection {
  const of = (name: string) => childText(issue, name);
  const name = of('name');
  if (name === undefined) throw new FormatError('An issue must have a “name”.', { line });
  const host = of('host') ?? '';
  const location = of('location') ?? of('path') ?? '';
  const word = of('severity') ?? '';
  const type = of('type');
  const address = `${host}${of('path') ?? ''}`;
  const isOfSite = ofSite.some((pattern) => pattern.test(name));
  const about = [of('issueDetail'), of('issueBackground')].map(withoutMarkup).filter(Boolean);
  return webResult({
    source,
    target: isOfSite ? [host] : [host, location],
    title: `${name} at ${isOfSite ? host : address}`,
    description: [...about, `Location: ${location}.`].join('\n\n'),
    confidence: confidenceFromWord(of('confidence')),
    severity: severityOf(word, undefined, 'info'),
    rule: { id: type === undefined || type === extensionType ? name : type, name },
    location: { url: shownAddress(address) },
    places: isOfSite ? [{ path: of('path') ?? null, start_line: null, end_line: null, commit: null }] : undefined,
    identifiers: [...weaknesses(of('vulnerabilityClassifications') ?? []), ...advisoryIdentifiers(of('issueDetail'))],
    evidence: undefined,
    remediation: withoutMarkup(of('remediationDetail') ?? of('remediationBackground')),
    references: of('references')?.match(/https?:\/\/[^\s<>"]+/g) ?? [],
    suppression: /false positive/i.test(word)
      ? {
          status: 'false_positive',
          reason: `Marked in Burp${child(issue, 'notes')?.text ? `: ${child(issue, 'notes')!.text}` : '.'}`,
        }
      : undefined,
  });
}
