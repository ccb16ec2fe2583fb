import type { NetworkPolicy } from '../platform/egress/network-policy.ts';
import type { Advisories } from './advisory.ts';
import type { Detection } from './detection.ts';
import type { Severity } from './severity.ts';
import type { Suppression } from './suppression.ts';

export type DataSourceKind = 'git_repository' | 'website' | 'host' | 'container_image' | 'upload';

/**
 * The target of a detector. `directory` is private to this data source on this worker and kept between scans (a cache:
 * losing it costs only time).
 */
export type DetectionTarget = {
  kind: DataSourceKind;
  name: string;
  /**
   * For git repositories: a fetched bare repository and the commit of the chosen branch; with all branches, also the
   * commits of the other branches and the tags. `isShallow`: its older history is missing.
   */
  repository: { gitDirectory: string; head: string; branch: string; otherHeads?: string[]; isShallow?: boolean } | null;
  /** For websites and hosts: the URL or address. For images: the image reference. */
  address: string | null;
  directory: string;
};

/**
 * A detection with a decision at its location, such as a comment in the code that accepts the risk. `scanner_severity` is
 * its own severity where the repository's file shows it as `info`.
 */
export type ScannedDetection = Detection & { suppression?: Suppression | null; scanner_severity?: Severity };

export type DetectionRun = {
  signal: AbortSignal;
  /**
   * Emits detections in batches of any size; await it, since it applies back-pressure. If a fingerprint occurs more
   * than once, the last detection wins.
   */
  emit(batch: ScannedDetection[]): Promise<void>;
  /**
   * Reports the `fraction` (0-1) of this target that is done, or null if unknown. It is cheap: call it as often as you
   * like.
   */
  progress(fraction: number | null, message: string): void;
  /**
   * Returns a keyed hash (HMAC-SHA-256, base64url, no padding) with the organization's own key, for identities derived
   * from a secret.
   */
  keyedHash(value: string | Uint8Array): string;
  /** The advisories on known vulnerabilities that the operator loaded. */
  advisories: Advisories;
  /** The network policy: the addresses to which scans over the network may connect. */
  networkPolicy: NetworkPolicy;
  /** A proxy that applies the same policy to programs; null if they connect directly. */
  egressProxyUrl: string | null;
  /** A cache of this worker that all targets share. It may be lost. */
  cacheDirectory: string;
};

/**
 * `complete`: the whole target was covered, so findings that were not emitted are resolved. A thrown error means that
 * the target failed.
 */
export type DetectionResult = {
  coverage: 'complete' | 'partial';
  warnings: string[];
  /** Files that exist but could not be read: earlier findings in them stay unchanged. */
  uncoveredPaths?: string[];
  /**
   * One of the warnings: the reason for partial coverage, if it may be temporary. The target is then retried a few
   * times before its partial result is final.
   */
  interruption?: string | null;
  /** Files are missing from the fetched repository: the next scan fetches it again. */
  isDamaged?: boolean;
};

/** A detection source that the platform runs. */
export type Detector = {
  type: string;
  name: string;
  description: string;
  /** Null if it is unknown so far. */
  readonly version: string | null;
  /** The command that installs a missing program; null if there is none. */
  readonly installCommand?: string | null;
  dataSourceKinds: DataSourceKind[];
  /** Returns the reason why the detector can't run here now, as a sentence for the operator; null if it can. */
  unavailableReason(advisories: Advisories): Promise<string | null>;
  detect(target: DetectionTarget, run: DetectionRun): Promise<DetectionResult>;
};

/** The facts about a detector that are available without loading it. */
export type DetectorDescription = Omit<Detector, 'detect'>;
