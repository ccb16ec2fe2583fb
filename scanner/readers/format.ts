import type { Confidence } from '../contract/confidence.ts';
import type { Detection, Excerpts, Location, Place } from '../contract/detection.ts';
import type { Severity } from '../contract/severity.ts';
import type { Suppression } from '../contract/suppression.ts';
import type { Head } from './head.ts';

/**
 * One result of a file. `source` is its detection source (the tool that found it), so that findings of the same tool
 * from other files of the same data source are merged with it.
 */
export type ImportedDetection = Detection & { source: string; suppression: Suppression | null };

/**
 * One result as returned by its reader. Omitted fields are null, empty, or derived from the others. Readers need not
 * shorten texts or fold `identifiers` and tags: normalize-results.ts does both.
 */
export type ReadDetection = Partial<Excerpts> & {
  source: string;
  /** The parts of the fingerprint (see findings/fingerprint.ts); never lines, columns, commits or times. */
  identity: string[];
  /**
   * The meaning of equal identities in one file. `places`: one problem in several locations (a secret, a package).
   * `problems`: one problem for each position (the same line of code twice in a file), numbered by position.
   */
  equals: 'places' | 'problems';
  title: string;
  description?: string;
  severity: Severity;
  rule: { id: string; name?: string; url?: string; tags?: string[] };
  location?: Partial<Location>;
  /** All locations, if there are others besides `location`. */
  places?: Place[];
  identifiers?: string[];
  cvss_score?: number;
  /** The tool's confidence, if it states one. */
  confidence?: Confidence | null;
  evidence?: string;
  remediation?: string;
  references?: string[];
  suppression?: Suppression;
};

/** A result of Assay's own, which is complete and has its fingerprint: see own-result.ts. */
export type OwnResult = { source: string; own: Omit<ImportedDetection, 'source'> };

export type ReadResult = ReadDetection | OwnResult;

/** The parts of a detection source that a file did not cover; see `SourceCoverage`. */
export type Gaps = { partial: string[]; uncovered: string[] };

/** The services of a reader, and its reports about the file as a whole. */
export type ReadContext = {
  /** HMAC-SHA-256 with the organization's own key, base64url: for identities derived from a secret. */
  keyedHash(value: string): string;
  /**
   * Reports that the file covers this source, even without a result: with `close_missing`, its findings are then
   * closed.
   */
  covers(source: string): void;
  /** Reports the version of this source in the file; values that are not strings are ignored. */
  version(source: string, version: unknown): void;
  /** Reports, in a sentence, that the tool did not finish: this file may then close no findings. */
  incomplete(reason: string): void;
  /**
   * Reports the gaps in a file's coverage of a source. With reasons, as sentences, it may close no findings of that
   * source; findings in `uncovered` files stay unchanged.
   */
  gaps(source: string, gaps: Gaps): void;
  /** Reports that the reader itself has truncated a text of a result to this many characters. */
  cut(what: 'description' | 'remediation', length: number): void;
  /** Reports that a part of a result is left out, such as `a flow of more than 50 steps`. */
  leftOut(what: LeftOut): void;
};

export type LeftOut = 'several flows' | 'a long flow' | 'several fixes' | 'a fix without lines' | 'a large fix';

/** UTF-8 without a byte order mark, in chunks of any size. */
export type Chunks = AsyncIterable<Buffer>;

/** A reader of one format. A new format is one file in readers/formats/ and its line in readers/index.ts. */
export type Format = {
  /** The value of `?format=`. */
  name: string;
  title: string;
  /**
   * Whether many tools write the format and identify themselves in the file. Results of an unidentified tool have the
   * format's name as source.
   */
  isShared?: true;
  /** Rates the start of a file from 0 (another format) to 1 (certainly this one). A file is recognised from 0.5 up. */
  recognise(head: Head): number;
  /** Streams the results; memory must not grow with their number. Throws FormatError with the position of the error. */
  read(chunks: Chunks, context: ReadContext): AsyncIterable<ReadResult>;
};
