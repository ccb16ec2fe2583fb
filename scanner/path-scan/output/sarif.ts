import { onlyChanges, type SourceCoverage, type SourceFinding } from '../scan-path.ts';
import { excerptParts, fileLocation, levels, rankPart, toRule } from './sarif-parts.ts';
import type { ScanReport, ScanReportFormat } from './scan-report.ts';

type Result = SourceFinding & { isKnown: boolean };

/**
 * SARIF 2.1.0 (OASIS), one run for each detection source, also without results, so that an import closes findings that
 * are gone. Findings that comments accept are suppressed results, and findings in the baseline are unchanged ones: an
 * import of a file without them would close them. The properties of the driver, the invocation and the results contain
 * the facts that an import needs to create the same findings as a scan by the server.
 */
export const formatSarif: ScanReportFormat = (report) => {
  const runs = report.coverage.map((coverage) => toRun(report, coverage));
  return JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs }, null, 2);
};

const resultsOf = ({ findings, ignored, known }: ScanReport): Result[] => [
  ...[...findings, ...ignored].map((finding) => ({ ...finding, isKnown: false })),
  ...known.map((finding) => ({ ...finding, isKnown: true })),
];

function toRun(report: ScanReport, { source, partial, uncovered }: SourceCoverage) {
  const results = resultsOf(report).filter((finding) => finding.source === source);
  const detections = results.map(({ detection }) => detection);
  // A rule has the severity of its scanner unless all its results are shown as `info`.
  const [demoted = [], others = []] = [true, false].map((is) =>
    detections.filter(({ scanner_severity }) => (scanner_severity !== undefined) === is),
  );
  const rules = [...new Map([...demoted, ...others].map((detection) => [detection.rule.id, detection])).values()];
  const indexes = new Map(rules.map(({ rule }, index) => [rule.id, index]));
  return {
    tool: {
      driver: {
        name: 'Assay',
        version: report.version,
        semanticVersion: report.version,
        rules: rules.map(toRule),
        properties: { source },
      },
    },
    automationDetails: { id: `assay/${source}/` },
    columnKind: 'utf16CodeUnits',
    invocations: [
      {
        executionSuccessful: partial.every((reason) => reason === onlyChanges),
        endTimeUtc: report.at.toISOString(),
        toolExecutionNotifications: [...new Set([...partial, ...report.warnings])].map((text) => ({
          level: partial.includes(text) ? 'error' : 'warning',
          message: { text },
        })),
        properties: { partial, uncovered },
      },
    ],
    results: results.map((result) => toResult(result, indexes.get(result.detection.rule.id)!)),
  };
}

function toResult({ detection, isKnown }: Result, ruleIndex: number) {
  const { suppression, fingerprint, ...facts } = detection;
  const { location, places, evidence, severity } = facts;
  const { codeApart: _, ...excerpts } = excerptParts(detection);
  return {
    ruleId: detection.rule.id,
    ruleIndex,
    level: levels[severity].level,
    message: { text: evidence === null ? detection.title : `${detection.title}: ${evidence}` },
    locations: [toLocation(detection)],
    relatedLocations: places
      .filter((place) => place.path !== null && place.path !== location.path)
      .map((place, index) => ({ id: index + 1, ...fileLocation(place) })),
    ...(isKnown && { baselineState: 'unchanged' as const }),
    ...(suppression && { suppressions: [{ kind: 'inSource' as const, justification: suppression.reason }] }),
    partialFingerprints: { 'assay/v1': fingerprint },
    ...rankPart(facts.confidence),
    ...excerpts,
    properties: { ...facts, commit: location.commit },
  };
}

function toLocation({ location, code }: SourceFinding['detection']) {
  if (location.url !== null) return { physicalLocation: { artifactLocation: { uri: location.url } } };
  return location.path === null ? commitLocation(location.commit) : fileLocation(location, { code: code ?? null });
}

function commitLocation(commit: string | null) {
  return { logicalLocations: [{ fullyQualifiedName: `commit ${commit ?? ''}`.trim(), kind: 'member' }] };
}
