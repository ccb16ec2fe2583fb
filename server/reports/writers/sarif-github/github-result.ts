import { levels, rankPart, toRule } from '@assay/scanner/path-scan/output/sarif-parts.ts';
import { hostSources } from '@assay/scanner/readers/host-sources.ts';
import { consoleUrl } from '../../document/finding-facts.ts';
import type { ReportFinding } from '../../report-model.ts';
import { githubLimits } from './limits.ts';

/** The file at the root of a repository that lists the packages of an ecosystem (OSV's names and purl's, lower case). */
const manifests: Record<string, string> = {
  npm: 'package.json',
  pypi: 'requirements.txt',
  go: 'go.mod',
  golang: 'go.mod',
  maven: 'pom.xml',
  rubygems: 'Gemfile',
  gem: 'Gemfile',
  'crates.io': 'Cargo.toml',
  cargo: 'Cargo.toml',
  packagist: 'composer.json',
  composer: 'composer.json',
  hex: 'mix.exs',
  pub: 'pubspec.yaml',
  swifturl: 'Package.swift',
  cran: 'DESCRIPTION',
  'github actions': '.github/workflows',
};

const repositoryRoot = '.';

type Place = {
  path: string | null;
  start_line: number | null;
  end_line: number | null;
  start_column?: number | null;
  end_column?: number | null;
};

/**
 * Returns the places of a finding in its repository; none for a finding without a file, such as a website's or a
 * host's. A package without a file is placed in the manifest of its ecosystem, otherwise in the root; so is a finding
 * about a repository as a whole.
 */
function placesOf({ location, places, source, data_source }: ReportFinding): Place[] {
  if (hostSources.has(source)) return [];
  const others = places.filter(({ path }) => path !== null);
  if (location.path !== null) {
    const { path, start_line } = location;
    return [location, ...others.filter((place) => place.path !== path || place.start_line !== start_line)];
  }
  if (others.length > 0) return others;
  const affected = location.package;
  if (affected === null && (location.url !== null || data_source.kind !== 'git_repository')) return [];
  const path = manifests[affected?.ecosystem.toLowerCase() ?? ''] ?? repositoryRoot;
  return [{ path, start_line: null, end_line: null }];
}

/** Returns a path relative to the root, without the tool's prefix. */
function relativeUri(path: string): string {
  const parts: string[] = [];
  for (const part of path.toWellFormed().split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(encodeURIComponent(part));
  }
  return parts.join('/') || repositoryRoot;
}

/** Returns a physical location with the complete region that GitHub requires; unknown lines and columns are 1. */
function toGithubLocation({ path, start_line, end_line, start_column, end_column }: Place) {
  const startLine = start_line ?? 1;
  const endLine = Math.max(end_line ?? startLine, startLine);
  const startColumn = start_column ?? 1;
  const endColumn = Math.max(end_column ?? 1, endLine === startLine ? startColumn : 1);
  return {
    physicalLocation: {
      artifactLocation: { uri: relativeUri(path ?? ''), uriBaseId: '%SRCROOT%' },
      region: { startLine, startColumn, endLine, endColumn },
    },
  };
}

/** Rules of different tools may share an id, so the tool is part of it. */
export const ruleIdOf = ({ source, rule }: ReportFinding): string => `${source}/${rule.id}`;

const maxMessageLength = 4_000;

const shorten = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;

/** Returns the first non-empty text: GitHub requires non-empty texts. */
const firstOf = (...texts: Array<string | null | undefined>): string =>
  texts.find((text) => text !== null && text !== undefined && text.trim() !== '') ?? 'Not described.';

/** Returns the rule of a finding, with everything that GitHub requires and within the lengths that it shows. */
export function toGithubRule(finding: ReportFinding) {
  const { rule, description, remediation, severity } = finding;
  const { helpUri, properties } = toRule(finding);
  const { ruleNameLength, ruleDescriptionLength, shownTagsPerRule } = githubLimits;
  const name = firstOf(rule.name, rule.id);
  const { 'security-severity': score } = properties;
  return {
    id: ruleIdOf(finding),
    name: shorten(name, ruleNameLength),
    shortDescription: { text: shorten(name, ruleDescriptionLength) },
    fullDescription: { text: shorten(firstOf(description, name), ruleDescriptionLength) },
    help: { text: firstOf(remediation, description, name), markdown: firstOf(remediation, description, name) },
    ...(helpUri ? { helpUri } : {}),
    defaultConfiguration: { level: levels[severity].level },
    properties: {
      tags: properties.tags.slice(0, shownTagsPerRule),
      // Zero means no severity; GitHub does not show a rule without a score as a security rule.
      ...(Number(score) > 0 ? { 'security-severity': score } : {}),
    },
  };
}

/** Returns the steps in files of the repository. */
function toCodeFlows({ flow }: ReportFinding) {
  const steps = (flow ?? []).filter(({ path }) => path !== null);
  if (steps.length === 0) return {};
  const locations = steps.map(({ path, start_line, message }) => ({
    location: { ...toGithubLocation({ path, start_line, end_line: null }), message: { text: firstOf(message) } },
  }));
  return { codeFlows: [{ threadFlows: [{ locations }] }] };
}

/** Returns an open finding as a result; null if it is in no file. */
export function toGithubResult(finding: ReportFinding, ruleIndex: number, baseUrl: string | null) {
  const [first, ...others] = placesOf(finding).slice(0, githubLimits.locationsPerResult);
  if (first === undefined) return null;
  const { title, description, severity, fingerprint, source } = finding;
  const hostedViewerUri = consoleUrl(baseUrl, finding.id);
  const text = description.trim() === '' ? firstOf(title) : `${firstOf(title)}\n\n${description}`;
  return {
    ruleId: ruleIdOf(finding),
    ruleIndex,
    level: levels[severity].level,
    ...rankPart(finding.confidence),
    message: { text: shorten(text, maxMessageLength) },
    locations: [toGithubLocation(first)],
    ...(others.length > 0 ? { relatedLocations: others.map(toGithubLocation) } : {}),
    ...toCodeFlows(finding),
    ...(hostedViewerUri ? { hostedViewerUri } : {}),
    // The only fingerprint by which GitHub matches a result with an earlier upload.
    partialFingerprints: { primaryLocationLineHash: `${source}:${fingerprint}` },
    properties: {
      finding: finding.id,
      number: finding.number,
      severity,
      ...(finding.confidence ? { confidence: finding.confidence } : {}),
      status: finding.status,
      firstSeenAt: finding.first_seen_at,
      ...(finding.due_at === null ? {} : { dueAt: finding.due_at }),
    },
  };
}
