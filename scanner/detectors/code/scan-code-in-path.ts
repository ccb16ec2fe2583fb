import type { Detection } from '../../contract/detection.ts';
import { textContentOf } from '../../platform/text-encoding.ts';
import { pathText } from '../../repository/history.ts';
import { Layout } from '../../repository/layout.ts';
import type { PathTarget } from '../../repository/path-target.ts';
import { followRenames, type KnownPaths } from '../../repository/renames.ts';
import { SkippedFiles } from '../../repository/skipped-files.ts';
import { createFileReader } from '../../repository/walk-directory.ts';
import { checkContents } from './check-contents.ts';
import { CodeChecker } from './checker.ts';
import { describeProblems, type FileProblem, maxSourceBytes, problemsOf, toFileResult } from './file-result.ts';
import { type SourceKind, skipReasonOf, sourceKindOf, sourcePathspecs } from './paths.ts';
import { type CheckedFile, hitsOfProgram } from './program/apply.ts';
import type { Ask } from './program/ask.ts';
import { type RuleBook, readBook } from './rule-book.ts';
import { checkedFiles, noteOther, scanTree, whyPartial } from './scan-tree.ts';
import { toDetections } from './to-detections.ts';

export type CodePathScan = {
  /** A folder with the operator's rules. */
  codeRules: string | null;
  home: string;
  signal: AbortSignal;
  progress(fraction: number | null, message: string): void;
};

type Source = { bytes: Buffer; path: string; kind: SourceKind };
type Scanned = { results: CheckedFile[]; skipped: SkippedFiles; partial?: string[]; ask: Ask; close(): void };

/** Checks the source files on disk, or in a bare repository's newest tree. */
export async function scanPathForCode(target: PathTarget, scan: CodePathScan) {
  const { book, errors } = await readBook(scan.codeRules);
  const warnings = errors.map((error) => `A code rule was left out. ${error}`);
  const scanned = target.files ? await scanFiles(target.files, book, scan) : await scanHead(target, book, scan);
  const { results, skipped, partial = [], ask, close } = scanned;
  const { hits: linked, unsure } = await hitsOfProgram(results, book.rules, ask).finally(close);
  const hitsOf = ({ path, result }: CheckedFile) => ('hits' in result ? (linked.get(path) ?? result.hits) : []);
  const hasHits = results.some((file) => hitsOf(file).length > 0);
  const paths = hasHits ? await knownPaths(target, scan) : new Map<string, string>();
  const problems: FileProblem[] = [];
  const detections: Detection[] = [];
  for (const file of results) {
    const { path, result } = file;
    problems.push(...problemsOf(path, result));
    if ('problem' in result) continue;
    if ('skipped' in result) skipped.add(result.skipped, path);
    else detections.push(...toDetections(book.rules, { path, knownPath: paths.get(path) ?? path, hits: hitsOf(file) }));
  }
  return {
    detections,
    warnings: [...warnings, ...describeProblems(problems), ...skipped.warnings('code'), ...partial],
    partial,
    uncovered: [...new Set([...problems.map(({ path }) => path), ...unsure])],
  };
}

const repositoryOf = (gitDirectory: string, { home, signal }: CodePathScan) => ({
  gitDirectory,
  home,
  signal,
  timeoutMs: 600_000,
});

async function scanHead({ repository }: PathTarget, book: RuleBook, scan: CodePathScan): Promise<Scanned> {
  if (!repository) return { results: [], skipped: new SkippedFiles(), ask: async () => {}, close() {} };
  const { gitDirectory, head } = repository;
  const options = {
    repository: repositoryOf(gitDirectory, scan),
    head,
    book,
    known: new Map(),
    progress: scan.progress,
  };
  const tree = await scanTree(options);
  const { skipped, ask, close } = tree;
  return { results: checkedFiles(tree), skipped, ask, close, partial: whyPartial(tree) };
}

async function scanFiles(
  files: NonNullable<PathTarget['files']>,
  book: RuleBook,
  { home, signal, progress }: CodePathScan,
): Promise<Scanned> {
  const read = createFileReader(files.root, maxSourceBytes);
  const checker = new CodeChecker([...book.rules.values()], { home, signal });
  const sources = new Map<string, Source>();
  const scanned: Scanned = {
    results: [],
    skipped: new SkippedFiles(),
    ask: (questions, take) => askFiles(questions, take),
    close: () => checker.close(),
  };
  async function askFiles(questions: Parameters<Ask>[0], take: Parameters<Ask>[1]) {
    async function* asked() {
      for (const [file, own] of questions) {
        const source = sources.get(file.path);
        const content = source && (await read(source.bytes))?.content;
        const text = content && textContentOf(content);
        if (source && text) yield { file: { file, own, kind: source.kind }, content: text };
      }
    }
    await checkContents(
      ({ kind, own }, content) => checker.ask(kind, content, own),
      asked(),
      ({ file }, answer) => answer && take(file, answer),
    );
  }
  let count = 0;
  async function* contents() {
    for (const source of await listSources(files, scanned.skipped)) {
      const { bytes, path, kind } = source;
      signal.throwIfAborted();
      sources.set(path, source);
      const found = await read(bytes);
      if (!found) continue;
      progress(null, `Checked ${++count} files`);
      if (!found.content) scanned.results.push({ path, language: kind.language, result: { problem: 'size' } });
      else {
        const text = textContentOf(found.content);
        if (text) yield { file: { path, kind }, content: text };
      }
    }
  }
  try {
    await checkContents(
      ({ kind }, content) => checker.check(kind, content),
      contents(),
      ({ path, kind }, outcome) => {
        scanned.results.push({ path, language: kind.language, result: toFileResult(outcome, path) });
      },
    );
  } catch (error) {
    checker.close();
    throw error;
  }
  return scanned;
}

async function listSources(files: NonNullable<PathTarget['files']>, skipped: SkippedFiles) {
  const layout = new Layout();
  const sources: Source[] = [];
  for await (const bytes of files.list()) {
    const path = pathText(bytes);
    layout.note(path);
    const kind = sourceKindOf(path);
    if (kind) sources.push({ bytes, path, kind });
    else noteOther(skipped, path, layout);
  }
  return sources.filter(({ path }) => {
    const reason = skipReasonOf(path, layout);
    if (reason) skipped.add(reason, path);
    return reason === null;
  });
}

/**
 * Follows renames like the server's scans, so that fingerprints agree. Without a readable history, renames are not
 * followed.
 */
async function knownPaths({ repository }: PathTarget, scan: CodePathScan): Promise<KnownPaths> {
  if (!repository) return new Map();
  const options = repositoryOf(repository.gitDirectory, scan);
  return followRenames(options, repository.head, null, sourcePathspecs).catch(() => new Map());
}
