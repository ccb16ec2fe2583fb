import type { Detection } from '../../../findings/detection.ts';
import { type Severity, severityFromCvss } from '../../../findings/severity.ts';

/** SARIF's three levels, and the score by which GitHub and others rank security results. */
export const levels: Record<Severity, { level: 'error' | 'warning' | 'note'; score: string }> = {
  critical: { level: 'error', score: '9.5' },
  high: { level: 'error', score: '8.0' },
  medium: { level: 'warning', score: '5.5' },
  low: { level: 'note', score: '2.0' },
  info: { level: 'note', score: '0.0' },
};

/** Returns a web address as a URI of RFC 3986, as SARIF requires; null for other texts. */
export function webUri(address: string | null | undefined): string | null {
  const parsed = address && /^https?:/i.test(address) ? URL.parse(address) : null;
  if (parsed === null) return null;
  return parsed.href.replace(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]/g, encodeURIComponent).replace(/%(?![\da-f]{2})/gi, '%25');
}

type Ruled = Pick<
  Detection,
  'rule' | 'severity' | 'description' | 'remediation' | 'references' | 'identifiers' | 'cvss_score'
>;

/** Returns `security-severity` of a result or rule: the CVSS score, unless it would mean another severity. */
export const securitySeverity = ({ severity, cvss_score }: Pick<Ruled, 'severity' | 'cvss_score'>): string =>
  cvss_score !== null && severityFromCvss(cvss_score) === severity ? cvss_score.toFixed(1) : levels[severity].score;

/** Returns the SARIF rule of a detection or finding. */
export function toRule(found: Ruled) {
  const { rule, description, remediation, references, identifiers } = found;
  const helpUri = webUri(rule.url) ?? webUri(references[0]);
  return {
    id: rule.id,
    name: rule.name,
    shortDescription: { text: rule.name },
    ...(helpUri ? { helpUri } : {}),
    help: { text: remediation ?? rule.name, markdown: remediation ?? description },
    defaultConfiguration: { level: levels[found.severity].level },
    properties: {
      'security-severity': securitySeverity(found),
      tags: [...new Set(['security', ...identifiers.map((one) => one.replace(/^CWE-/, 'external/cwe/cwe-'))])],
    },
  };
}

type Region = Partial<Record<'start_line' | 'end_line' | 'start_column' | 'end_column', number | null>>;

/** Returns a file of the repository, with the lines when they are known; `snippet` is the code there. */
export function fileLocation({ path, ...region }: { path: string | null } & Region, snippet?: string | null) {
  // Lone surrogates can't be encoded.
  const uri = (path ?? '').toWellFormed().split('/').map(encodeURIComponent).join('/');
  const lines = region.start_line
    ? {
        region: {
          startLine: region.start_line,
          ...(region.start_column ? { startColumn: region.start_column } : {}),
          ...(region.end_line ? { endLine: region.end_line } : {}),
          ...(region.end_column ? { endColumn: region.end_column } : {}),
          ...(snippet ? { snippet: { text: snippet } } : {}),
        },
      }
    : {};
  return { physicalLocation: { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, ...lines } };
}
