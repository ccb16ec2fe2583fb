import type { Advisories } from '../contract/advisory.ts';
import type { ScannedDetection } from '../contract/detector.ts';
import type { Manifest } from '../detectors/dependencies/dependency.ts';
import { pathText } from '../repository/history.ts';
import type { PathTarget } from '../repository/path-target.ts';
import type { FileSource } from './path-sources.ts';

export type FileScan = {
  home: string;
  signal: AbortSignal;
  progress(fraction: number | null, message: string): void;
  advisories: Advisories | null;
  codeRules: string | null;
  keyedHash(value: string): string;
};

type Scanned = { detections: ScannedDetection[]; warnings: string[]; manifests?: Manifest[] };
type PathTest = (path: string) => boolean;

/** Rules and parsers are loaded only for files that need them: all of them take a second of processor time. */
type FileScanner = {
  /** Loads the test for the files that the source looks at. */
  loadTest(): Promise<PathTest>;
  /** Whether there is something to say about a target without such files. */
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
      return (path) => sourceKindOf(path) !== null;
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

/** Scans a target with a built-in source, unless there is nothing that it looks at. */
export async function scanFiles(source: FileSource, target: PathTarget, scan: FileScan): Promise<Scanned> {
  const { loadTest, runsAlways, load } = scanners[source];
  const isNeeded = runsAlways?.(scan) || (await hasFilesFor(source, target, loadTest));
  if (!isNeeded) return { detections: [], warnings: [], ...(source === 'dependencies' && { manifests: [] }) };
  return (await load())(target, scan);
}

async function hasFilesFor(source: FileSource, { files, repository }: PathTarget, loadTest: () => Promise<PathTest>) {
  // Of a bare repository only the history is there, and secrets are also found in files that were deleted.
  if (!files || (repository && source === 'secrets')) return true;
  let test: PathTest | null = null;
  for await (const path of files.list()) {
    test ??= await loadTest();
    if (test(pathText(path))) return true;
  }
  return false;
}
