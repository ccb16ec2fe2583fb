import {
  excerptParts,
  fileLocation,
  levels,
  rankPart,
  securitySeverity,
  webUri,
} from '@assay/scanner/path-scan/output/sarif-parts.ts';
import { isOpen, type Status } from '../../findings/lifecycle.ts';
import { consoleUrl } from '../document/finding-facts.ts';
import type { ReportFinding, ReportHead } from '../report-model.ts';

/** The indexes of a result's rule and of its extension; null if the file contains no more rules. */
export type RulePlace = { component: number; rule: number } | null;

/** Returns a finding as a SARIF result. `properties` contains the fields that SARIF has no property for. */
export function toResult(
  finding: ReportFinding,
  place: RulePlace,
  { head: { period }, baseUrl }: { head: ReportHead; baseUrl: string | null },
) {
  const { rule, title, description } = finding;
  const hostedViewerUri = consoleUrl(baseUrl, finding.id);
  const { codeApart, ...excerpts } = excerptParts(finding);
  const resolved = finding.status === 'resolved';
  return {
    ruleId: rule.id,
    ...(place ? { rule: { id: rule.id, index: place.rule, toolComponent: { index: place.component } } } : {}),
    level: levels[finding.severity].level,
    message: { text: description ? `${title}\n\n${description}` : title },
    locations: toLocations(finding),
    fingerprints: { 'assayFinding/v1': finding.id },
    partialFingerprints: { 'assay/v1': finding.fingerprint },
    occurrenceCount: finding.occurrences,
    baselineState: resolved ? 'absent' : finding.first_seen_at >= period.from ? 'new' : 'unchanged',
    ...(isOpen(finding.status) ? {} : { suppressions: [toSuppression(finding)] }),
    ...(hostedViewerUri ? { hostedViewerUri } : {}),
    provenance: { firstDetectionTimeUtc: finding.first_seen_at, lastDetectionTimeUtc: finding.last_seen_at },
    ...rankPart(finding.confidence),
    ...excerpts,
    properties: { ...toProperties(finding), ...codeApart },
  };
}

function toLocations(finding: ReportFinding): object[] {
  const { location, data_source, places, evidence } = finding;
  const logicalLocations = [...toPackage(location), { name: data_source.name, kind: 'resource' }];
  if (location.path === null) {
    const address = webUri(location.url);
    return [{ ...(address ? { physicalLocation: { artifactLocation: { uri: address } } } : {}), logicalLocations }];
  }
  const others = places.filter(
    ({ path, start_line }) => path !== null && (path !== location.path || start_line !== location.start_line),
  );
  return [
    { ...fileLocation(location, { snippet: evidence, code: finding.code }), logicalLocations },
    ...others.map((place) => fileLocation(place)),
  ];
}

const toPackage = ({ package: affected }: ReportFinding['location']): object[] =>
  affected === null
    ? []
    : [
        {
          name: affected.name,
          fullyQualifiedName: affected.purl ?? [affected.name, affected.version].filter(Boolean).join('@'),
          kind: 'module',
        },
      ];

const reasons: Partial<Record<Status, string>> = {
  false_positive: 'False positive',
  accepted_risk: 'Accepted risk',
  resolved: 'Resolved',
};

function toSuppression({ status, resolution, accepted_until, comments }: ReportFinding) {
  const until = accepted_until === null ? '' : ` until ${accepted_until}`;
  const how = resolution === null ? '' : ` (${resolution.replaceAll('_', ' ')})`;
  const said = comments.at(-1)?.comment;
  return {
    kind: 'external',
    status: 'accepted',
    justification: `${reasons[status]}${how}${until}${said ? `: ${said}` : ''}`,
  };
}

function toProperties(finding: ReportFinding) {
  const { rule: _, location, places: __, description: ___, fingerprint: ____, ...others } = finding;
  const { code: _____, flow: ______, fix: _______, ...rest } = others;
  const { commit, url, package: affected } = location;
  return {
    ...rest,
    tags: [...new Set(finding.tags)],
    'security-severity': securitySeverity(finding),
    commit,
    url,
    package: affected,
  };
}
