import { mkdir } from 'node:fs/promises';
import type { Detection } from '../../contract/detection.ts';
import type { DetectionResult, DetectionRun, DetectionTarget, Detector } from '../../contract/detector.ts';
import { readFailure } from '../../repository/read-failure.ts';
import { followRenames, type KnownPaths } from '../../repository/renames.ts';
import { readStateFile, type StateFile, writeStateFile } from '../../repository/state-file.ts';
import { codeDescription } from './code-description.ts';
import { describeProblems, type FileProblem, type FileResult, problemsOf } from './file-result.ts';
import { sourcePathspecs } from './paths.ts';
import { hitsOfProgram } from './program/apply.ts';
import { loadRuleBook, type RuleBook } from './rule-book.ts';
import { checkedFiles, scanTree, type TreeResult, whyPartial } from './scan-tree.ts';
import { toDetections } from './to-detections.ts';

const gitHours = 1;
const batchSize = 500;

type Header = { head: string; paths: Array<[path: string, knownPath: string]> };
type Item = { key: string; result: FileResult };

/** Creates the detector for the source code in a repository's newest tree. A rescan reads only new files. */
function createCodeDetector(loadRules: () => Promise<RuleBook>): Detector {
  return {
    ...codeDescription,
    detect: async (target, run) => detect(target, run, await loadRules()),
  };
}

async function detect(target: DetectionTarget, run: DetectionRun, book: RuleBook): Promise<DetectionResult> {
  if (!target.repository) throw new Error('Code is checked in git repositories only.');
  const { gitDirectory, head } = target.repository;
  await mkdir(target.directory, { recursive: true, mode: 0o700 });
  const repository = { gitDirectory, home: target.directory, signal: run.signal, timeoutMs: gitHours * 3_600_000 };
  const file = { directory: target.directory, name: 'code-state.ndjson', format: 'assay-code-state 4' };
  const stateFile = { ...file, basis: book.hash };
  const state = await readStateFile<Header, Item>(stateFile);
  const known = new Map(state?.records.map(({ key, result }) => [key, result]));
  // The paths that identify files don't depend on the rules.
  const past = state?.header ?? (await readKnownPaths(target.directory));
  try {
    const tree = await scanTree({ repository, head, book, known, progress: run.progress });
    try {
      run.progress(1, 'Following renamed files');
      const pastPaths = past && { head: past.head, paths: new Map(past.paths) };
      const paths = await followRenames(repository, head, pastPaths, sourcePathspecs);
      run.progress(1, 'Following input across files');
      const result = await report(tree, paths, book, run);
      if (tree.missing > 0) return { ...result, isDamaged: true };
      await remember(stateFile, { head, paths: [...paths] }, tree);
      return result;
    } finally {
      tree.close();
    }
  } catch (error) {
    throw readFailure(error, gitHours);
  }
}

const knownPathsFile = (directory: string): StateFile => ({
  directory,
  name: 'code-paths.ndjson',
  format: 'assay-code-paths 1',
  basis: '',
});

async function readKnownPaths(directory: string): Promise<Header | null> {
  return (await readStateFile<Header, never>(knownPathsFile(directory)))?.header ?? null;
}

async function remember(file: StateFile, header: Header, { results }: TreeResult): Promise<void> {
  await writeStateFile(knownPathsFile(file.directory), header, []);
  await writeStateFile(
    file,
    header,
    [...results].map(([key, result]) => ({ key, result })),
  );
}

async function report(
  tree: TreeResult,
  paths: KnownPaths,
  { rules }: RuleBook,
  run: DetectionRun,
): Promise<DetectionResult> {
  const problems: FileProblem[] = [];
  let batch: Detection[] = [];
  const { hits: linked, unsure } = await hitsOfProgram(checkedFiles(tree), rules, tree.ask);
  for (const { path, key } of tree.files) {
    const result = tree.results.get(key);
    if (!result) continue;
    problems.push(...problemsOf(path, result));
    if ('problem' in result) continue;
    if ('skipped' in result) {
      tree.skipped.add(result.skipped, path);
      continue;
    }
    batch.push(
      ...toDetections(rules, { path, knownPath: paths.get(path) ?? path, hits: linked.get(path) ?? result.hits }),
    );
    if (batch.length < batchSize) continue;
    await run.emit(batch);
    batch = [];
  }
  if (batch.length > 0) await run.emit(batch);
  const warnings = [...describeProblems(problems), ...tree.skipped.warnings('code')];
  const partial = whyPartial(tree);
  return {
    coverage: partial.length > 0 ? 'partial' : 'complete',
    warnings: [...warnings, ...partial],
    uncoveredPaths: [...new Set([...problems.map(({ path }) => path), ...unsure])],
  };
}

/** The built-in detector for source code, with the built-in rules and the operator's. */
export const codeDetector: Detector = createCodeDetector(loadRuleBook);
