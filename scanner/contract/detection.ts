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

/** `version`: of the affected package; left out where there is none. */
export type Place = Pick<Location, 'path' | 'start_line' | 'end_line' | 'commit'> & { version?: string };

/** Lines of a file, redacted; the first has the number `start_line`. */
export type Code = { start_line: number; lines: string[] };

/** A step from source to sink. `number` counts from 1; a gap stands for steps that were left out. */
export type FlowStep = { number: number; path: string | null; start_line: number | null; message: string | null };

/**
 * A range of lines and columns, spelled as in `Location`, with the text that replaces it. Without columns, these are whole
 * lines without the last line break.
 */
export type FixChange = {
  path: string;
  start_line: number;
  end_line: number;
  start_column: number | null;
  end_column: number | null;
  text: string;
};

/** A proposed change; all its parts belong together. */
export type Fix = { description: string | null; changes: FixChange[] };

/** The code at a finding, as data: null where a tool gives none. */
export type Excerpts = { code: Code | null; flow: FlowStep[] | null; fix: Fix | null };

/**
 * A problem as a scanner reports it in one run, before it is merged into the findings.
 * Its identity within an organization, data source and source is `fingerprint` alone (see fingerprint.ts).
 * No field may hold a secret in the clear: redact before building a detection.
 */
export type Detection = Partial<Excerpts> & {
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
