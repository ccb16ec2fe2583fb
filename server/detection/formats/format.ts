import type { Detection, Location, Place } from '../../findings/detection.ts';
import type { Severity } from '../../findings/severity.ts';
import type { Suppression } from '../contract/suppression.ts';
import type { Head } from './head.ts';

/**
 * One result of a file. `source` is the detection source it belongs to (the tool that found it), so findings of the same
 * tool from other files of the same data source are merged with it.
 */
export type ImportedDetection = Detection & { source: string; suppression: Suppression | null };

/**
 * What a reader makes of one result; what is left out is null, empty, or follows from the rest.
 * Texts need no shortening, `identifiers` no folding: settle.ts does both.
 */
export type ReadDetection = {
  source: string;
  /** The parts of the fingerprint (see findings/fingerprint.ts); never lines, columns, commits or times. */
  identity: string[];
  /**
   * What equal identities in one file are. `places`: one problem in several places (a secret, a package). `problems`: as many
   * problems as there are distinct positions (the same line of code twice in a file); they get an ordinal by position.
   */
  equals: 'places' | 'problems';
  title: string;
  description?: string;
  severity: Severity;
  rule: { id: string; name?: string; url?: string };
  location?: Partial<Location>;
  /** All places when there are more than the location. */
  places?: Place[];
  identifiers?: string[];
  cvss_score?: number;
  evidence?: string;
  remediation?: string;
  references?: string[];
  suppression?: Suppression;
};

/** What a reader may use, and where it tells what is true of the file and not of one result. */
export type ReadContext = {
  /** HMAC-SHA-256 with the organization's own key, base64url: for identities that rest on a secret. */
  keyedHash(value: string): string;
  /** The file speaks for this source, also when it holds no result of it: with `close_missing`, all of it is then gone. */
  covers(source: string): void;
  /** The tool says itself that it did not run to its end: nothing may be closed on the strength of this file. A sentence. */
  incomplete(reason: string): void;
};

/** UTF-8 without a byte order mark, in chunks of any size. */
export type Chunks = AsyncIterable<Buffer>;

/** A reader of one format. Adding one is one file and its line in index.ts. */
export type Format = {
  /** As in `?format=`. */
  name: string;
  title: string;
  /** 0 (not this) to 1 (surely this), from the beginning of the file. 0.5 is the least that is taken without being asked. */
  recognise(head: Head): number;
  /** Streams the results; memory must not grow with their number. Throws FormatError with the place of what is wrong. */
  read(chunks: Chunks, context: ReadContext): AsyncIterable<ReadDetection>;
};
