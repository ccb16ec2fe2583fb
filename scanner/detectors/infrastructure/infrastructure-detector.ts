import { mkdir } from 'node:fs/promises';
import type { Detection } from '../../contract/detection.ts';
import type { DetectionResult, DetectionRun, DetectionTarget, Detector } from '../../contract/detector.ts';
import type { Repository } from '../../repository/history.ts';
import { readFailure } from '../../repository/read-failure.ts';
import { followRenames, type KnownPaths } from '../../repository/renames.ts';
import { readStateFile, writeStateFile } from '../../repository/state-file.ts';
import { infrastructurePathspecs } from './file-kind.ts';
import { infrastructureDescription } from './infrastructure-description.ts';
import { openRepositoryFiles, type RepositoryFiles, whyPartial } from './repository-files.ts';
import { describeProblems, type FileProblem, problemsOf, scanFiles } from './scan-files.ts';
import { Detections } from './to-detections.ts';

const gitHours = 1;
const batchSize = 500;

/** Checks the build and deployment files in a repository's newest tree. */
export const infrastructureDetector: Detector = { ...infrastructureDescription, detect };

async function detect(target: DetectionTarget, run: DetectionRun): Promise<DetectionResult> {
  if (!target.repository) throw new Error('Infrastructure is checked in git repositories only.');
  const { gitDirectory, head } = target.repository;
  await mkdir(target.directory, { recursive: true, mode: 0o700 });
  const repository = { gitDirectory, home: target.directory, signal: run.signal, timeoutMs: gitHours * 3_600_000 };
  try {
    run.progress(null, 'Following renamed files');
    const paths = await followKnownPaths(repository, target.directory, head);
    return await report(await openRepositoryFiles(repository, head), paths, run);
  } catch (error) {
    throw readFailure(error, gitHours);
  }
}

/** Keeps the results of earlier scans, so that a file keeps its first name regardless of when it was renamed. */
async function followKnownPaths(repository: Repository, directory: string, head: string): Promise<KnownPaths> {
  const file = { directory, name: 'infrastructure-paths.ndjson', format: 'assay-infrastructure-paths 1', basis: '' };
  const past = (await readStateFile<{ head: string; paths: Array<[string, string]> }, never>(file))?.header;
  const known = past ? { head: past.head, paths: new Map(past.paths) } : null;
  const paths = await followRenames(repository, head, known, infrastructurePathspecs);
  await writeStateFile(file, { head, paths: [...paths] }, []);
  return paths;
}

async function report(files: RepositoryFiles, paths: KnownPaths, run: DetectionRun): Promise<DetectionResult> {
  const problems: FileProblem[] = [];
  const detections = new Detections();
  let batch: Detection[] = [];
  let done = 0;
  const read = async function* () {
    for await (const file of files.read()) {
      run.progress(done++ / files.count, `Checked ${done} of ${files.count} files`);
      yield file;
    }
  };
  for await (const result of scanFiles(read(), run.signal, files.skipped)) {
    problems.push(...problemsOf(result));
    if ('problem' in result) continue;
    batch.push(...detections.add({ ...result, knownPath: paths.get(result.path) ?? result.path }));
    if (batch.length < batchSize) continue;
    await run.emit(batch);
    batch = [];
  }
  batch.push(...detections.finish());
  for (let start = 0; start < batch.length; start += batchSize) await run.emit(batch.slice(start, start + batchSize));
  const warnings = [...describeProblems(problems), ...files.skipped.warnings('infrastructure')];
  const partial = whyPartial(files);
  return {
    coverage: partial.length > 0 ? 'partial' : 'complete',
    warnings: [...warnings, ...partial],
    uncoveredPaths: problems.map(({ path }) => path),
  };
}
