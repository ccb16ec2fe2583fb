import type { Detection } from '../../contract/detection.ts';
import { pathText } from '../../repository/history.ts';
import { isInstalled } from '../../repository/layout.ts';
import type { PathTarget } from '../../repository/path-target.ts';
import { followRenames, type KnownPaths } from '../../repository/renames.ts';
import { SkippedFiles } from '../../repository/skipped-files.ts';
import { createFileReader } from '../../repository/walk-directory.ts';
import { infrastructurePathspecs } from './file-kind.ts';
import { noteOtherFormat } from './other-formats.ts';
import { openRepositoryFiles, whyPartial } from './repository-files.ts';
import {
  describeProblems,
  type FileProblem,
  guessKind,
  maxFileBytes,
  problemsOf,
  type SourceFile,
  scanFiles,
} from './scan-files.ts';
import { Detections } from './to-detections.ts';

type Scan = { home: string; signal: AbortSignal; progress(fraction: number | null, message: string): void };

/** Checks the files on disk, or in a bare repository's newest tree. */
export async function scanPathForInfrastructure(target: PathTarget, scan: Scan) {
  const { files, skipped, partial = [] } = target.files ? readDirectory(target.files) : await readHead(target, scan);
  const paths = await knownPaths(target, scan);
  const problems: FileProblem[] = [];
  const detections: Detection[] = [];
  const known = new Detections();
  let count = 0;
  for await (const result of scanFiles(files, scan.signal, skipped)) {
    scan.progress(null, `Checked ${++count} files`);
    problems.push(...problemsOf(result));
    if ('hits' in result)
      detections.push(...known.add({ ...result, knownPath: paths.get(result.path) ?? result.path }));
  }
  detections.push(...known.finish());
  return {
    detections,
    warnings: [...describeProblems(problems), ...skipped.warnings('infrastructure'), ...partial],
    partial,
    uncovered: problems.map(({ path }) => path),
  };
}

const repositoryOf = (gitDirectory: string, { home, signal }: Scan) => ({
  gitDirectory,
  home,
  signal,
  timeoutMs: 600_000,
});

type Files = { files: AsyncIterable<SourceFile>; skipped: SkippedFiles; partial?: string[] };

async function readHead({ repository }: PathTarget, scan: Scan): Promise<Files> {
  if (!repository) return { files: (async function* () {})(), skipped: new SkippedFiles() };
  const files = await openRepositoryFiles(repositoryOf(repository.gitDirectory, scan), repository.head);
  return { files: files.read(), skipped: files.skipped, partial: whyPartial(files) };
}

function readDirectory(files: NonNullable<PathTarget['files']>): Files {
  const read = createFileReader(files.root, maxFileBytes);
  const skipped = new SkippedFiles();
  async function* readAll(): AsyncGenerator<SourceFile> {
    for await (const bytes of files.list()) {
      const path = pathText(bytes);
      const guess = guessKind(path);
      if (!isInstalled(path)) noteOtherFormat(skipped, path);
      if (!guess) continue;
      if (isInstalled(path)) {
        if (!guess.isGuess) skipped.add('packages', path);
        continue;
      }
      const file = await read(bytes);
      if (file) yield { path, ...guess, content: file.content };
    }
  }
  return { files: readAll(), skipped };
}

/**
 * Follows renames like the server's scans, so that fingerprints agree. Without a readable history, renames are not
 * followed.
 */
async function knownPaths({ repository }: PathTarget, scan: Scan): Promise<KnownPaths> {
  if (!repository) return new Map();
  const options = repositoryOf(repository.gitDirectory, scan);
  return followRenames(options, repository.head, null, infrastructurePathspecs).catch(() => new Map());
}
