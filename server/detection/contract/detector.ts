import type { Detection } from '../../findings/detection.ts';
import type { NetworkPolicy } from '../../platform/egress/network-policy.ts';
import type { Advisories } from './advisory.ts';
import type { Suppression } from './suppression.ts';

export type DataSourceKind = 'git_repository' | 'website' | 'host' | 'container_image' | 'upload';

/** What a detector is pointed at. `directory` is private to this data source on this worker and survives between scans (a cache: losing it costs time only). */
export type DetectionTarget = {
  kind: DataSourceKind;
  name: string;
  /** For git repositories: a fetched bare repository and the commit that the chosen branch stands at. */
  repository: { gitDirectory: string; head: string; branch: string } | null;
  /** For websites and hosts: the URL or address. For images: the reference. */
  address: string | null;
  directory: string;
};

/** A detection, and what somebody decided on it where it stands, such as a comment in the code that takes the risk. */
export type ScannedDetection = Detection & { suppression?: Suppression | null };

export type DetectionRun = {
  signal: AbortSignal;
  /** Hands over detections, in batches of any size; await it, it pushes back. The same fingerprint may come more than once: the last one wins. */
  emit(batch: ScannedDetection[]): Promise<void>;
  /** `fraction` 0-1 of this target, or null when unknown. Cheap: call it as often as you like. */
  progress(fraction: number | null, message: string): void;
  /** Keyed hash (HMAC-SHA-256, base64url, no padding) with the organization's own key, for identities that rest on a secret. */
  keyedHash(value: string | Uint8Array): string;
  /** The advisories on known vulnerabilities that the operator loaded. */
  advisories: Advisories;
  /** What may be connected to, for sources that look at something from outside. */
  networkPolicy: NetworkPolicy;
  /** A proxy that holds programs to the same policy; null where there is none and they connect for themselves. */
  egressProxyUrl: string | null;
  /** Of this worker, for what all targets may share. It may be lost. */
  cacheDirectory: string;
};

/** `complete`: everything the target holds was covered, so what was not emitted is gone. Anything thrown means the target failed. */
export type DetectionResult = {
  coverage: 'complete' | 'partial';
  warnings: string[];
  /** Files that are there but could not be read: what was found in them before stays as it is. */
  uncoveredPaths?: string[];
};

/** A detection source that the platform runs. */
export type Detector = {
  type: string;
  name: string;
  description: string;
  /** Null when it is not known (yet). */
  readonly version: string | null;
  dataSourceKinds: DataSourceKind[];
  /** Why it can't run here now, as a sentence for the operator, or null when it can. */
  unavailableReason(advisories: Advisories): Promise<string | null>;
  detect(target: DetectionTarget, run: DetectionRun): Promise<DetectionResult>;
};

/** What is told of a detector without loading what it works with. */
export type DetectorDescription = Omit<Detector, 'detect'>;
