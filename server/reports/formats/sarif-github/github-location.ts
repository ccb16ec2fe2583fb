import type { ReportFinding } from '../../report-model.ts';

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
 * Returns the places of a finding in its repository, the first one first; none for a finding without a file, such as of a
 * website. A package that no file names is in the manifest of its ecosystem, otherwise in the root; so is a finding about
 * a repository as a whole.
 */
export function placesOf({ location, places, data_source }: ReportFinding): Place[] {
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

/** Returns a path relative to the root, whatever the tool wrote before it. */
function relativeUri(path: string): string {
  const parts: string[] = [];
  for (const part of path.toWellFormed().split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(encodeURIComponent(part));
  }
  return parts.join('/') || repositoryRoot;
}

/** Returns a physical location with the whole region that GitHub requires; unknown lines and columns are the first. */
export function toGithubLocation({ path, start_line, end_line, start_column, end_column }: Place) {
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
