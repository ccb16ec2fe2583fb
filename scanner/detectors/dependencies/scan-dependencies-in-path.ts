import type { Advisories } from '../../contract/advisory.ts';
import type { Detection } from '../../contract/detection.ts';
import { pathText } from '../../repository/history.ts';
import type { PathTarget } from '../../repository/path-target.ts';
import { SkippedFiles } from '../../repository/skipped-files.ts';
import { createFileReader } from '../../repository/walk-directory.ts';
import type { Manifest } from './dependency.ts';
import { findUnchecked } from './find-unchecked.ts';
import { findVulnerabilities } from './find-vulnerabilities.ts';
import {
  isInstalledManifest,
  isManifest,
  type ManifestSource,
  maxManifestBytes,
  readManifests,
} from './read-manifests.ts';
import { mayBeIncluded, openTree } from './repository-source.ts';

export type DependenciesPathScan = {
  /** Null without advisories: packages are read all the same. */
  advisories: Advisories | null;
  home: string;
  signal: AbortSignal;
  progress(fraction: number | null, message: string): void;
};

/** Reads the packages of manifests on disk, or in a bare repository's newest tree, and matches them with advisories. */
export async function scanPathForDependencies(target: PathTarget, scan: DependenciesPathScan) {
  const source = await openSource(target, scan);
  const { manifests, warnings, unreadable } = await readManifests(source, (count) => {
    scan.signal.throwIfAborted();
    scan.progress(null, `Read ${count} of ${source.count} manifests`);
  });
  const detections: Detection[] = [];
  const partial: string[] = [];
  const uncovered = [...unreadable];
  if (scan.advisories && (await scan.advisories.exist())) {
    scan.progress(null, 'Matching advisories');
    for await (const detection of findVulnerabilities(manifests, scan.advisories)) detections.push(detection);
    const unchecked = await findUnchecked(manifests, scan.advisories);
    warnings.push(...unchecked.warnings);
    uncovered.push(...unchecked.paths);
  } else if (manifests.length > 0) {
    partial.push(notMatched(manifests, scan.advisories !== null));
  }
  warnings.push(...partial, ...source.skipped.warnings('dependencies'));
  return { detections, warnings, partial, uncovered: [...new Set(uncovered)], manifests, unreadable };
}

function notMatched(manifests: Manifest[], isGiven: boolean): string {
  const packages = manifests.reduce((sum, { dependencies }) => sum + dependencies.length, 0);
  const reason = isGiven
    ? 'the directory of --advisories contains no archives such as npm/all.zip.'
    : "name them with --advisories DIR, a directory in the layout of OSV's export (npm/all.zip).";
  return `${counted(packages, 'package')} in ${counted(manifests.length, 'manifest')} could not be matched with advisories: ${reason}`;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

async function openSource({ files, repository }: PathTarget, { home, signal }: DependenciesPathScan) {
  if (files) return openFiles(files);
  if (repository) {
    const { gitDirectory, head } = repository;
    return openTree({ gitDirectory, home, signal, timeoutMs: 600_000 }, head);
  }
  const skipped = new SkippedFiles();
  return { count: 0, skipped, async *manifests() {}, read: async () => null } satisfies ManifestSource;
}

async function openFiles(files: NonNullable<PathTarget['files']>): Promise<ManifestSource> {
  const known = new Map<string, Buffer>();
  const paths: string[] = [];
  const skipped = new SkippedFiles();
  for await (const path of files.list()) {
    const text = pathText(path);
    if (isManifest(text)) paths.push(text);
    else if (isInstalledManifest(text)) skipped.add('packages', text);
    else if (!mayBeIncluded(text)) continue;
    known.set(text, path);
  }
  const readFile = createFileReader(files.root, maxManifestBytes);
  const read = async (path: string) => {
    const bytes = known.get(path);
    return bytes ? readFile(bytes) : null;
  };
  async function* manifests() {
    for (const path of paths) yield { path, file: await read(path) };
  }
  return { count: paths.length, skipped, manifests, read };
}
