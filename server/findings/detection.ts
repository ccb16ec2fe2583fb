import type { Severity } from './severity.ts';

/** The package that a dependency detection is about. */
type PackageReference = {
  ecosystem: string;
  name: string;
  version: string | null;
  fixed_version: string | null;
  purl: string | null;
};

/**
 * The location of a detection. Lines and columns count from 1; `end_column` is exclusive; `commit` is the one that
 * introduced it.
 */
export type Location = {
  path: string | null;
  start_line: number | null;
  end_line: number | null;
  start_column: number | null;
  end_column: number | null;
  commit: string | null;
  url: string | null;
  package: PackageReference | null;
};

export type Place = Pick<Location, 'path' | 'start_line' | 'end_line' | 'commit'>;

/**
 * A problem as a scanner reports it in one run, before it is merged into the findings.
 * Its identity within an organization, data source and source is `fingerprint` alone (see fingerprint.ts).
 * No field may hold a secret in the clear: redact before building a detection.
 */
export type Detection = {
  fingerprint: string;
  title: string;
  description: string;
  severity: Severity;
  /** `tags` are the scanner's own: at most 20 of at most 100 characters. */
  rule: { id: string; name: string; url: string | null; tags?: string[] };
  location: Location;
  /** At most 100; `occurrences` counts all of them. */
  places: Place[];
  occurrences: number;
  identifiers: string[];
  cvss_score: number | null;
  evidence: string | null;
  remediation: string | null;
  references: string[];
};
