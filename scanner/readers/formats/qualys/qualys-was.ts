import type { Suppression } from '../../../contract/suppression.ts';
import { type Definition, type Explained, withDefinitions } from '../../definitions.ts';
import type { ReadContext, ReadDetection } from '../../format.ts';
import { FormatError } from '../../format-error.ts';
import { advisoryIdentifiers, weaknesses } from '../../identifiers.ts';
import { shownAddress, stableAddress, webResult } from '../../web-result.ts';
import { child, childText, type XmlElement, type XmlEvent } from '../../xml/xml.ts';
import { isFixed, plainText, scoreOf, severityOfLevel } from './qualys-result.ts';

const resultNames = ['VULNERABILITY', 'SENSITIVE_CONTENT', 'INFORMATION_GATHERED'];
const roots = ['WAS_SCAN_REPORT', 'WAS_WEBAPP_REPORT'];
export const wasPaths = roots.flatMap((root) => [
  `${root}/GLOSSARY/QID_LIST/QID`,
  `${root}/RESULTS/WEB_APPLICATION/NAME`,
  ...['RESULTS', 'RESULTS/WEB_APPLICATION'].flatMap((at) =>
    resultNames.map((name) => `${root}/${at}/${name}_LIST/${name}`),
  ),
]);

type SiteResult = {
  id: string;
  isInformation: boolean;
  application: string;
  address: string | undefined;
  parameter: string;
  suppression: Suppression | undefined;
};

/** Reports of web applications: results, then a glossary of the QIDs. Requests and responses are not stored. */
export async function* wasResults(
  events: AsyncIterable<XmlEvent>,
  context: ReadContext,
): AsyncGenerator<ReadDetection> {
  for await (const { result, definition } of withDefinitions(items(events), context))
    yield readResult(result, definition);
}

async function* items(events: AsyncIterable<XmlEvent>): AsyncGenerator<Explained<SiteResult>> {
  let application = '';
  for await (const event of events) {
    if (event.kind !== 'item') continue;
    const { element, line, path } = event;
    if (path.endsWith('/NAME')) application = element.text;
    else {
      const id = childText(element, 'QID');
      if (id === undefined) throw new FormatError('A vulnerability must have a “QID”.', { line });
      if (path.endsWith('/QID_LIST/QID')) yield { definition: definitionOf(element, id), line };
      else if (!isFixed(childText(element, 'STATUS'))) yield { result: resultOf(element, id, application) };
    }
  }
}

function resultOf(element: XmlElement, id: string, application: string): SiteResult {
  const of = (name: string) => childText(element, name);
  return {
    id,
    isInformation: element.name === 'INFORMATION_GATHERED',
    application,
    address: of('URL'),
    parameter: of('PARAM') ?? '',
    suppression: /^true$/i.test(of('IGNORED') ?? '')
      ? {
          status: 'accepted_risk',
          reason: `Ignored in Qualys${of('IGNORE_REASON') ? `: ${of('IGNORE_REASON')}` : '.'}`,
        }
      : undefined,
  };
}

function definitionOf(element: XmlElement, id: string): Definition {
  const of = (name: string) => childText(element, name);
  return {
    id,
    name: of('TITLE') ?? `QID ${id}`,
    severity: of('SEVERITY'),
    score: scoreOf(childText(child(element, 'CVSS_V3'), 'BASE'), of('CVSS_BASE')),
    description: [of('DESCRIPTION'), of('IMPACT')].map(plainText).filter(Boolean).join('\n\n'),
    solution: plainText(of('SOLUTION')),
    identifiers: [...advisoryIdentifiers(of('CVE')), ...weaknesses((of('CWE') ?? '').match(/\d+/g) ?? [])],
    references: [],
  };
}

function readResult(found: SiteResult, definition: Definition | undefined): ReadDetection {
  const name = definition?.name ?? `QID ${found.id}`;
  const address = stableAddress(found.address) ?? found.address ?? found.application;
  return webResult({
    source: 'qualys-was',
    target: [address, found.parameter],
    title: address ? `${name} at ${address}` : name,
    description: [definition?.description, found.parameter && `Parameter: \`${found.parameter}\``]
      .filter(Boolean)
      .join('\n\n'),
    severity: found.isInformation ? 'info' : severityOfLevel(definition?.severity, definition?.score),
    rule: { id: `QID-${found.id}`, name },
    location: { url: shownAddress(found.address) },
    identifiers: definition?.identifiers,
    cvss_score: definition?.score,
    evidence: undefined,
    remediation: definition?.solution,
    suppression: found.suppression,
  });
}
