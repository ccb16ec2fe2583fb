import type { Confidence } from './confidence.ts';
import type { Severity } from './severity.ts';

/** The package of a dependency detection. */
type PackageReference = {
  ecosystem: string;
  name: string;
  version: string | null;
  fixed_version: string | null;
  purl: string | null;
};

/**
 * The location of a detection. Lines and columns count from 1; `end_column` is exclusive; `commit` is the commit that
 * introduced the problem.
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

/** `version`: that of the affected package, if any. */
export type Place = Pick<Location, 'path' | 'start_line' | 'end_line' | 'commit'> & { version?: string };

/** Lines of a file, redacted; the first has the number `start_line`. */
export type Code = { start_line: number; lines: string[] };

/** A step from source to sink. `number` counts from 1; a gap stands for omitted steps. */
export type FlowStep = { number: number; path: string | null; start_line: number | null; message: string | null };

/**
 * A range of lines and columns, spelled as in `Location`, with the text that replaces it. Without columns, the range is
 * whole lines without the last line break.
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

/** The code at a finding, as data; null if the tool reports none. */
export type Excerpts = { code: Code | null; flow: FlowStep[] | null; fix: Fix | null };

/**
 * A problem as a scanner reports it in one run, before it is merged into the findings. Its identity within an
 * organization, data source and detection source is only `fingerprint` (see fingerprint.ts). No field may contain a
 * secret in plain text: redact before building a detection.
 */
export type Detection = Partial<Excerpts> & {
  fingerprint: string;
  title: string;
  description: string;
  severity: Severity;
  /** `tags` come from the scanner: at most 20 of at most 100 characters. */
  rule: { id: string; name: string; url: string | null; tags?: string[] };
  location: Location;
  /** At most 100; `occurrences` is the total number. */
  places: Place[];
  occurrences: number;
  identifiers: string[];
  cvss_score: number | null;
  /** Null if the tool states none. */
  confidence?: Confidence | null;
  evidence: string | null;
  remediation: string | null;
  references: string[];
};
