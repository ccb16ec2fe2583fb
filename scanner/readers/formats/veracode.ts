import type { Severity } from '../../contract/severity.ts';
import type { Suppression } from '../../contract/suppression.ts';
import { codeResult } from '../code-result.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { weaknesses } from '../identifiers.ts';
import { packageResult } from '../package-result.ts';
import { filePath } from '../paths.ts';
import { cvssScore } from '../severity-words.ts';
import { number, position } from '../values.ts';
import { shownAddress } from '../web-result.ts';
import { child, childrenOf, readXml, type XmlElement } from '../xml/xml.ts';

const source = 'veracode';

const root = 'detailedreport';
const flaws = `${root}/severity/category/cwe`;
const component = `${root}/software_composition_analysis/vulnerable_components/component`;
const wanted = new Set([`${flaws}/staticflaws/flaw`, `${flaws}/dynamicflaws/flaw`, component]);

/**
 * Veracode's detailed report (XML, `detailedreport` of its published schema): flaws of static and dynamic analysis,
 * identified by application and Veracode's own flaw number, and vulnerable components. Severity: 5 is `critical`, 4
 * `high`, 3 `medium`, 2 and 1 `low`. Fixed flaws are not findings; accepted mitigations are accepted risks.
 */
export const veracode: Format = {
  name: 'veracode',
  title: 'Veracode',
  recognise: (head) => (head.element === root && /veracode/i.test(head.text) ? 1 : 0),
  async *read(chunks, context) {
    context.covers(source);
    let application = '';
    for await (const event of readXml(chunks, wanted)) {
      if (event.kind === 'start' && !event.path.startsWith(root))
        throw new FormatError('This is not a file of Veracode: its root is not “detailedreport”.', { line: 1 });
      if (event.kind === 'start' && event.path === root) application = event.attributes.app_name ?? '';
      if (event.kind !== 'item') continue;
      if (event.path === component) yield* readComponent(event.element);
      else if (event.element.attributes.remediation_status !== 'Fixed')
        yield readFlaw(event.element, application, event.line, context);
    }
  },
};

const levels: Record<string, Severity> = { 5: 'critical', 4: 'high', 3: 'medium', 2: 'low', 1: 'low', 0: 'info' };

function readFlaw({ attributes }: XmlElement, application: string, line: number, context: ReadContext): ReadDetection {
  const { issueid, cweid, categoryname, sourcefile, sourcefilepath, description, type, url } = attributes;
  if (!issueid) throw new FormatError('A flaw must have an “issueid”.', { line });
  const name = categoryname || (cweid ? `CWE-${cweid}` : 'Flaw');
  const at = position(attributes.line);
  const parameter = attributes.vuln_parameter;
  const result = codeResult(
    {
      source,
      title: name,
      description: [
        description,
        type && `Called: \`${type}\`.`,
        parameter && `Parameter: \`${parameter}\`.`,
        application && `Application: ${application}`,
      ]
        .filter(Boolean)
        .join('\n\n'),
      severity: levels[attributes.severity ?? ''] ?? 'medium',
      rule: { id: cweid ? `CWE-${cweid}` : name, name },
      location: {
        path: filePath(sourcefile && [sourcefilepath, sourcefile].filter(Boolean).join('/')),
        start_line: at,
        end_line: at,
        url: shownAddress(url),
      },
      content: undefined,
      identifiers: weaknesses(cweid ? [cweid] : []),
      suppression: suppressionOf(attributes),
    },
    context,
  );
  return { ...result, identity: ['veracode', application, issueid], equals: 'places' };
}

const suppressionOf = ({ mitigation_status: status }: Record<string, string>): Suppression | undefined =>
  status === 'accepted' ? { status: 'accepted_risk', reason: 'Its mitigation is accepted in Veracode.' } : undefined;

function* readComponent(found: XmlElement): Generator<ReadDetection> {
  const { library, file_name: file, version } = found.attributes;
  const path = childrenOf(child(found, 'file_paths'), 'file_path')[0]?.attributes.value;
  for (const { attributes } of childrenOf(child(found, 'vulnerabilities'), 'vulnerability')) {
    const id = attributes.cve_id;
    if (!id) continue;
    yield packageResult({
      source,
      advisory: id,
      ecosystem: '',
      name: library || file || 'an unnamed component',
      version: version || undefined,
      manifest: path,
      description: attributes.cve_summary,
      severity: levels[attributes.severity ?? ''] ?? 'medium',
      score: cvssScore(number(attributes.cvss_score)),
      weaknesses: weaknesses(attributes.cwe_id ? [attributes.cwe_id] : []),
      suppression: attributes.mitigation === 'true' ? suppressionOf({ mitigation_status: 'accepted' }) : undefined,
    });
  }
}
