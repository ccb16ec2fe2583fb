import { join } from 'node:path';
import type { Advisories } from '../contract/advisory.ts';
import type { ScannedDetection } from '../contract/detector.ts';
import { TargetError } from '../contract/target-error.ts';
import type { Manifest } from '../detectors/dependencies/dependency.ts';
import { quoteCommit, quoteFiles } from '../detectors/quote-code.ts';
import { makeTemporaryDirectory } from '../platform/temporary-directory.ts';
import { pathText } from '../repository/history.ts';
import { ignoreInCommit, ignoreInFiles } from '../repository/ignore-in-target.ts';
import { openPath, type PathTarget } from '../repository/path-target.ts';
import type { Changes } from './changes.ts';
import { type FileSource, fileSources, type PathSource, pathSources } from './path-sources.ts';

type FileScan = {
  home: string;
  signal: AbortSignal;
  progress(fraction: number | null, message: string): void;
  advisories: Advisories | null;
  codeRules: string | null;
  additions?: ScanAdditions | undefined;
};

/** The sources and targets that a program adds to those of this package. */
export type ScanAdditions = {
  /** Returns the types of the sources that scan files. `warn` receives sentences about sources that are left out. */
  listSources(warn: (warning: string) => void): Promise<string[]>;
  /** Scans with one of these sources. */
  scan(
    source: string,
    target: PathTarget,
    scan: Pick<FileScan, 'home' | 'signal' | 'progress'> & { keyedHash(value: string | Uint8Array): string },
  ): Promise<Scanned>;
  /** Fetches the repository of a URL into a directory; without a branch, the remote's default. */
  fetch(
    url: string,
    branch: string | null,
    scan: Pick<FileScan, 'signal' | 'progress'> & { directory: string },
  ): Promise<NonNullable<PathTarget['repository']>>;
};

/** `partial`: the reasons why the scan covered only a part; `uncovered`: paths of files that it could not read. */
type Scanned = {
  detections: ScannedDetection[];
  warnings: string[];
  partial?: string[];
  uncovered?: string[];
  /** The manifests that `dependencies` read, and the paths of unreadable ones. */
  manifests?: Manifest[];
  unreadable?: string[];
};
type PathTest = (path: string) => boolean;

/** Rules and parsers are loaded only if files need them: all of them take a second of processor time. */
type FileScanner = {
  /** Loads the test for the files that the source scans. */
  loadTest(): Promise<PathTest>;
  /** Whether the source reports on a target without such files. */
  runsAlways?(scan: FileScan): boolean;
  load(): Promise<(target: PathTarget, scan: FileScan) => Promise<Scanned>>;
};

const scanners: Record<FileSource, FileScanner> = {
  secrets: {
    loadTest: async () => () => true,
    async load() {
      const { scanPathForSecrets } = await import('../detectors/secrets/scan-secrets-in-path.ts');
      const { createSecretEngine } = await import('../detectors/secrets/engine.ts');
      const { allRules } = await import('../detectors/secrets/all-rules.ts');
      return (target, scan) =>
        scanPathForSecrets(target, { ...scan, engine: createSecretEngine(allRules), rules: allRules });
    },
  },
  dependencies: {
    loadTest: async () => (await import('../detectors/dependencies/read-manifests.ts')).isManifest,
    load: async () => (await import('../detectors/dependencies/scan-dependencies-in-path.ts')).scanPathForDependencies,
  },
  code: {
    async loadTest() {
      const { sourceKindOf } = await import('../detectors/code/paths.ts');
      const { otherLanguageOf } = await import('../detectors/code/other-languages.ts');
      return (path) => sourceKindOf(path) !== null || otherLanguageOf(path) !== null;
    },
    // The operator's rules are checked in any case.
    runsAlways: ({ codeRules }) => codeRules !== null,
    load: async () => (await import('../detectors/code/scan-code-in-path.ts')).scanPathForCode,
  },
  infrastructure: {
    async loadTest() {
      const { fileKindOf, mayBeTemplate } = await import('../detectors/infrastructure/file-kind.ts');
      return (path) => fileKindOf(path) !== null || mayBeTemplate(path);
    },
    load: async () =>
      (await import('../detectors/infrastructure/scan-infrastructure-in-path.ts')).scanPathForInfrastructure,
  },
};

/** Scans a target with a built-in source, unless the target has no files for it. */
async function scanFiles(source: FileSource, target: PathTarget, scan: FileScan): Promise<Scanned> {
  const { loadTest, runsAlways, load } = scanners[source];
  const isNeeded = runsAlways?.(scan) || (await hasFilesFor(source, target, loadTest));
  if (!isNeeded) return { detections: [], warnings: [], ...(source === 'dependencies' && { manifests: [] }) };
  return (await load())(target, scan);
}

async function hasFilesFor(source: FileSource, { files, repository }: PathTarget, loadTest: () => Promise<PathTest>) {
  // A bare repository has only its history, and secrets may be in deleted files.
  if (!files || (repository && source === 'secrets')) return true;
  let test: PathTest | null = null;
  for await (const path of files.list()) {
    test ??= await loadTest();
    if (test(pathText(path))) return true;
  }
  return false;
}

export type PathScanOptions = {
  /** Types of detection sources. */
  sources: readonly PathSource[];
  /** For a URL: the branch; null for the remote's default. */
  branch?: string | null;
  /** A directory of advisories in the layout of OSV's export, for `dependencies`. */
  advisories?: string | null;
  /** A folder with the operator's own rules for `code`. */
  codeRules?: string | null;
  additions?: ScanAdditions | undefined;
  /** Only the changes in a work tree; null for everything. */
  changes?: Changes | null;
  signal: AbortSignal;
  progress?(fraction: number | null, message: string): void;
};

export type SourceFinding = { source: string; detection: ScannedDetection };

/** The reason of a deliberate gap in `SourceCoverage`. */
export const onlyChanges = 'Only changes were scanned.';

/**
 * The coverage of a source. `partial`: the reasons, as sentences, why unreported findings may still exist; `uncovered`:
 * the files in which they may exist. Both are empty after a scan of everything.
 */
export type SourceCoverage = { source: string; partial: string[]; uncovered: string[] };

export type PathScanResult = {
  target: { name: string; kind: PathTarget['kind'] | 'website' };
  findings: SourceFinding[];
  /** Findings with a decision at their location: they are not open. */
  ignored: SourceFinding[];
  warnings: string[];
  /** The coverage of each source that ran, in order. */
  coverage: SourceCoverage[];
  /** The manifests in which `dependencies` found packages, and the reasons why there may be more. */
  packages?: { manifests: Manifest[] } & Omit<SourceCoverage, 'source'>;
};

/**
 * Scans a file, a directory, a git work tree (with uncommitted changes and its history), a repository's URL or a
 * website, without server or database. Throws an error that a person can act on: a RepositoryError, a TargetError, or
 * the file system's own.
 */
export async function scanPath(pathOrUrl: string, options: PathScanOptions): Promise<PathScanResult> {
  const temporary = await makeTemporaryDirectory();
  const home = temporary.path;
  const scan: FileScan = {
    home,
    signal: options.signal,
    progress: options.progress ?? (() => {}),
    advisories: options.advisories ? await openAdvisories(options.advisories) : null,
    codeRules: options.codeRules ?? null,
    additions: options.additions,
  };
  try {
    const files = fileSources.filter((source) => options.sources.includes(source));
    const tools = options.sources.filter((source) => !(pathSources as readonly string[]).includes(source));
    const web = options.sources.includes('web') ? await scanWebsite(pathOrUrl, scan) : null;
    if (web && files.length + tools.length === 0) return web;
    const { target, openBefore } = await openTarget(pathOrUrl, options, scan);
    const result = await scanTarget(target, [...files, ...tools], scan);
    const found = new Set(result.findings.map(({ source }) => source));
    if (openBefore && found.size > 0) {
      const before = await scanTarget(await openBefore(), [...found], scan);
      const known = new Set([...before.findings, ...before.ignored].map(({ detection }) => detection.fingerprint));
      result.findings = result.findings.filter(({ detection }) => !known.has(detection.fingerprint));
    }
    if (options.changes) for (const { partial } of coveragesOf(result)) partial.unshift(onlyChanges);
    result.findings.push(...(web?.findings ?? []));
    result.coverage.push(...(web?.coverage ?? []));
    result.warnings.unshift(...(web?.warnings ?? []));
    return result;
  } finally {
    await temporary.remove();
  }
}

const coveragesOf = ({ coverage, packages }: PathScanResult) => [...coverage, ...(packages ? [packages] : [])];

async function openTarget(
  pathOrUrl: string,
  options: PathScanOptions,
  scan: FileScan,
): Promise<{ target: PathTarget; openBefore?: () => Promise<PathTarget> }> {
  const { changes } = options;
  if (!isUrl(pathOrUrl)) {
    if (!changes) return { target: await openPath(pathOrUrl, scan) };
    const { openChanges } = await import('./changes.ts');
    return openChanges(pathOrUrl, changes, scan);
  }
  if (changes) throw new TargetError('Changes are known only of a work tree on disk, not of a URL.');
  return { target: await fetchTarget(pathOrUrl, options, scan) };
}

function ignorerOf({ files, repository }: PathTarget, { home, signal }: FileScan) {
  if (files) return ignoreInFiles(files);
  if (!repository) return null;
  return ignoreInCommit({ home, signal, gitDirectory: repository.gitDirectory }, repository.head);
}

function quoterOf({ files, repository }: PathTarget, { home, signal }: FileScan) {
  const history = repository && quoteCommit({ home, signal, gitDirectory: repository.gitDirectory }, repository.head);
  return files ? quoteFiles(files, history) : history;
}

const isFileSource = (source: PathSource): source is FileSource => (fileSources as readonly string[]).includes(source);

/** Scans with each source in turn, and separates findings that comments in the files accept. */
async function scanTarget(target: PathTarget, sources: PathSource[], scan: FileScan): Promise<PathScanResult> {
  const result: PathScanResult = {
    target: { name: target.name, kind: target.kind },
    findings: [],
    ignored: [],
    warnings: [],
    coverage: [],
  };
  const ignore = ignorerOf(target, scan);
  const quote = quoterOf(target, scan);
  for (const source of sources) {
    const scanned: Scanned = isFileSource(source)
      ? await scanFiles(source, target, scan)
      : await scanWithAddition(source, target, scan);
    const { detections, warnings, partial = [], uncovered = [], manifests, unreadable = [] } = scanned;
    if (manifests) result.packages = { manifests, partial: [], uncovered: unreadable };
    result.coverage.push({ source, partial: [...partial], uncovered });
    const incomplete = (await ignore?.(detections, source)) ?? [];
    await quote?.(source, detections);
    for (const detection of detections) {
      (detection.suppression ? result.ignored : result.findings).push({ source, detection });
    }
    result.warnings.push(...warnings, ...incomplete);
  }
  result.warnings.unshift(...new Set(target.warnings));
  for (const { partial } of coveragesOf(result)) partial.push(...target.gaps);
  return result;
}

const openAdvisories = async (directory: string) =>
  (await import('../advisories/directory-advisories.ts')).directoryAdvisories(directory);

const scanWebsite = async (url: string, scan: FileScan) =>
  (await import('../detectors/web/scan-url.ts')).scanUrl(url, scan);

async function scanWithAddition(source: string, target: PathTarget, scan: FileScan): Promise<Scanned> {
  const { sharedHash } = await import('../detectors/secrets/identity.ts');
  if (!scan.additions) throw new Error(`There is no source ${source}.`);
  return scan.additions.scan(source, target, { ...scan, keyedHash: sharedHash });
}

const isUrl = (text: string) => /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text);

async function fetchTarget(
  url: string,
  { branch = null, additions }: PathScanOptions,
  scan: FileScan,
): Promise<PathTarget> {
  if (!additions) throw new TargetError('This program scans files on disk. Clone the repository, and scan its folder.');
  const repository = await additions.fetch(url, branch, { ...scan, directory: join(scan.home, 'fetched') });
  const name = /([^/:]+?)(\.git)?\/*$/.exec(url)?.[1] ?? url;
  return { name, kind: 'git_repository', files: null, repository, warnings: [], gaps: [] };
}
