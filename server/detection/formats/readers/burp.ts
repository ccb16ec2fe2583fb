import type { Format, ReadDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { advisoryIdentifiers, weaknesses } from '../identifiers.ts';
import { withoutMarkup } from '../markup.ts';
import { severityOf } from '../severity-words.ts';
import { shownAddress, webResult } from '../web-result.ts';
import { child, childText, readXml, type XmlElement } from '../xml/xml.ts';

const source = 'burp';

/**
 * Burp Suite's XML report of issues. Severity: Burp's word; “False positive” arrives suppressed. Identity: Burp's type
 * of issue, host, and location (path and parameter); the serial number differs in each report. Requests and responses
 * are not kept: they contain sessions.
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
  const about = [of('issueDetail'), of('issueBackground')].map(withoutMarkup).filter(Boolean);
  return webResult({
    source,
    target: [host, location],
    title: `${name} at ${host}${of('path') ?? ''}`,
    description: [
      ...about,
      `Location: ${location}. Confidence: ${(of('confidence') ?? 'unknown').toLowerCase()}.`,
    ].join('\n\n'),
    severity: severityOf(word, undefined, 'info'),
    rule: { id: of('type') ?? name, name },
    location: { url: shownAddress(`${host}${of('path') ?? ''}`) },
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
