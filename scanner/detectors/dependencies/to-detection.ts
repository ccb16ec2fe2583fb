import { scoreOfVector } from '../../advisories/cvss.ts';
import { baseEcosystem, normaliseName } from '../../advisories/ecosystem.ts';
import type { Advisory, Severity } from '../../contract/advisory.ts';
import type { Detection } from '../../contract/detection.ts';
import { packageFingerprint, packageIdentity } from '../../contract/fingerprint.ts';
import { type Severity as FindingSeverity, severityFromCvss } from '../../contract/severity.ts';
import type { Dependency } from './dependency.ts';
import type { Match } from './match.ts';
import { toPackageUrl } from './package-url.ts';

/** OSV's names for CVSS versions. Version 3 comes before 4, as for GitHub's reviewers and other scanners. */
const byPreference = ['CVSS_V3', 'CVSS_V4', 'CVSS_V2'];

const labels: Record<string, FindingSeverity> = {
  CRITICAL: 'critical',
  HIGH: 'high',
  MODERATE: 'medium',
  MEDIUM: 'medium',
  LOW: 'low',
};

/**
 * Returns the severity of a vulnerability: from the score of a CVSS vector if any advisory has one, or else from the
 * reviewers' label. A malicious package is critical, an unmaintained one or a notice is info, and the default is
 * medium.
 */
function severityOf({ names, advisories }: Match): { severity: FindingSeverity; score: number | null } {
  const score = scoreOf(
    advisories.flatMap(({ severity, affected }) => [...severity, ...affected.flatMap((part) => part.severity)]),
  );
  if (score !== null) return { severity: severityFromCvss(score), score };
  const label = advisories.map(({ severityLabel }) => labels[severityLabel ?? '']).find((known) => known !== undefined);
  if (label) return { severity: label, score };
  if (names.some((name) => name.startsWith('MAL-'))) return { severity: 'critical', score };
  const informational = advisories.flatMap(({ affected }) => affected.map((part) => part.informational));
  if (informational.length > 0 && informational.every((kind) => kind !== null)) {
    return { severity: informational.includes('unsound') ? 'low' : 'info', score };
  }
  return { severity: 'medium', score };
}

function scoreOf(vectors: Severity[]): number | null {
  for (const type of byPreference) {
    const scores = vectors.filter((vector) => vector.type === type).flatMap(({ score }) => scoreOfVector(score) ?? []);
    if (scores.length > 0) return Math.max(...scores);
  }
  return null;
}

const maxTitle = 250;
const maxReferences = 20;
const maxPlaces = 100;

/** Builds the detection of a vulnerable package in a manifest. */
export function toDetection(dependency: Dependency, path: string, match: Match): Detection {
  const { ecosystem, name, line } = dependency;
  const version = dependency.version!;
  const { severity, score } = severityOf(match);
  const place = { path, start_line: line, end_line: line, commit: null, version };
  const purl = toPackageUrl(dependency);
  const summary = summaryOf(match);
  const { fixedVersion } = match;
  return {
    fingerprint: packageFingerprint(
      ...packageIdentity({
        ...{ advisory: match.id, aliases: [], purl, version, manifest: path },
        ...{ ecosystem: baseEcosystem(ecosystem), name: normaliseName(ecosystem, name) },
      }),
    ),
    title: `${name} ${version}: ${summary}`.slice(0, maxTitle),
    description: describe(match),
    severity,
    rule: { id: match.id, name: summary.slice(0, maxTitle), url: urlOf(match.id) },
    location: {
      ...{ path, start_line: line, end_line: line, commit: null },
      start_column: null,
      end_column: null,
      url: null,
      package: { ecosystem, name, version, fixed_version: fixedVersion, purl },
    },
    places: [place],
    occurrences: 1,
    identifiers: [...match.names, ...new Set(match.advisories.flatMap(({ weaknesses }) => weaknesses))],
    cvss_score: score,
    confidence: 'high',
    evidence: `${name} ${version}`,
    remediation: remediationOf(name, match),
    references: [...new Set(match.advisories.flatMap(({ references }) => references))].slice(0, maxReferences),
  };
}

/**
 * Merges the detections of one problem in several versions of a package in a manifest: each version becomes a place.
 */
export function withPlaceOf(first: Detection, { places, evidence }: Detection): Detection {
  const known = new Set(first.places.map((place) => JSON.stringify(place)));
  const added = places.filter((place) => !known.has(JSON.stringify(place)));
  if (added.length === 0) return first;
  const all = [...first.places, ...added];
  return {
    ...first,
    places: all.slice(0, maxPlaces),
    occurrences: all.length,
    evidence: `${first.evidence}, ${evidence}`,
  };
}

function summaryOf({ id, advisories }: Match): string {
  const summary = advisories.map((advisory) => advisory.summary.trim()).find((text) => text !== '');
  if (summary) return summary;
  const details = advisories.map((advisory) => firstSentence(advisory)).find((text) => text !== '');
  return details ?? `Known vulnerability ${id}`;
}

const firstSentence = ({ details }: Advisory): string =>
  (/^[^\n]*?[.!](?=\s|$)|^[^\n]*/.exec(details.replace(/^#.*$/gm, '').trim())?.[0] ?? '').trim();

function describe({ names, advisories }: Match): string {
  const details = advisories.map((advisory) => advisory.details.trim()).find((text) => text !== '') ?? '';
  return [details, `Known as ${names.join(', ')}.`].filter((text) => text !== '').join('\n\n');
}

function remediationOf(name: string, { names, advisories, fixedVersion }: Match): string {
  if (names.some((name) => name.startsWith('MAL-'))) {
    return `Remove ${name}: it is malicious. Treat every machine that installed it as compromised, and replace the secrets that it could read.`;
  }
  if (fixedVersion !== null) return `Upgrade ${name} to ${fixedVersion} or later.`;
  const isInformational = advisories.every(({ affected }) => affected.every((part) => part.informational !== null));
  return isInformational
    ? `Replace ${name} with a maintained package.`
    : `No fixed version of ${name} is known. Replace it, or limit its exposure to untrusted input.`;
}

function urlOf(id: string): string {
  if (id.startsWith('GHSA-')) return `https://github.com/advisories/${id}`;
  if (id.startsWith('CVE-')) return `https://nvd.nist.gov/vuln/detail/${id}`;
  return `https://osv.dev/vulnerability/${encodeURIComponent(id)}`;
}
