import type { Confidence } from '../../contract/confidence.ts';
import type { Code, Detection, Excerpts } from '../../contract/detection.ts';
import { type Severity, severityFromCvss } from '../../contract/severity.ts';

/** SARIF's three levels, and the score by which GitHub and others rank security results. */
export const levels: Record<Severity, { level: 'error' | 'warning' | 'note'; score: string }> = {
  critical: { level: 'error', score: '9.5' },
  high: { level: 'error', score: '8.0' },
  medium: { level: 'warning', score: '5.5' },
  low: { level: 'note', score: '2.0' },
  info: { level: 'note', score: '0.0' },
};

const ranks: Record<Confidence, number> = { high: 90, medium: 60, low: 20 };

/** Returns the member `rank` of a result for its confidence. */
export const rankPart = (confidence: Confidence | null | undefined): { rank?: number } =>
  confidence ? { rank: ranks[confidence] } : {};

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

/** Returns `security-severity` of a result or rule: the CVSS score, unless it implies another severity. */
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

/** Returns whether lines are more than a region, as SARIF requires of a `contextRegion`. */
function surrounds({ start_line, lines }: Code, region: Region): boolean {
  if (!region.start_line) return false;
  const last = start_line + lines.length - 1;
  const end = region.end_line ?? region.start_line;
  if (start_line > region.start_line || last < end) return false;
  return start_line < region.start_line || last > end;
}

const toContext = ({ start_line, lines }: Code) => ({
  contextRegion: {
    startLine: start_line,
    endLine: start_line + lines.length - 1,
    snippet: { text: lines.join('\n').toWellFormed() },
  },
});

/**
 * Returns the members of a result with its flow, its fix and, if its location can't have it, its code (`codeApart`, for
 * its property bag).
 */
export function excerptParts({
  location,
  code = null,
  flow = null,
  fix = null,
}: Partial<Excerpts> & { location: Region }) {
  const steps = flow?.map(({ number, message, ...place }) => ({
    executionOrder: number,
    location: {
      ...(place.path === null ? {} : fileLocation(place)),
      ...(message === null ? {} : { message: { text: message } }),
    },
  }));
  const changes = Map.groupBy(fix?.changes ?? [], ({ path }) => path);
  const fixes = fix && [
    {
      ...(fix.description === null ? {} : { description: { text: fix.description } }),
      artifactChanges: [...changes].map(([path, own]) => ({
        ...fileLocation({ path }).physicalLocation,
        replacements: own.map(({ path: _, text, ...range }) => ({
          deletedRegion: regionOf(range),
          insertedContent: { text },
        })),
      })),
    },
  ];
  return {
    ...(steps ? { codeFlows: [{ threadFlows: [{ locations: steps }] }] } : {}),
    ...(fixes ? { fixes } : {}),
    codeApart: code && !surrounds(code, location) ? { code } : {},
  };
}

const regionOf = ({ start_line, end_line, start_column, end_column }: Region) => ({
  startLine: start_line!,
  ...(start_column ? { startColumn: start_column } : {}),
  ...(end_line ? { endLine: end_line } : {}),
  ...(end_column ? { endColumn: end_column } : {}),
});

/**
 * Returns a file of the repository, with the lines if they are known; `snippet` is the code at the location, `code` the
 * lines around it.
 */
export function fileLocation(
  { path, ...region }: { path: string | null } & Region,
  { snippet, code }: { snippet?: string | null; code?: Code | null } = {},
) {
  // Lone surrogates can't be encoded.
  const uri = (path ?? '').toWellFormed().split('/').map(encodeURIComponent).join('/');
  const lines = region.start_line
    ? {
        region: { ...regionOf(region), ...(snippet ? { snippet: { text: snippet } } : {}) },
        ...(code && surrounds(code, region) ? toContext(code) : {}),
      }
    : {};
  return { physicalLocation: { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, ...lines } };
}
