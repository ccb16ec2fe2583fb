import { textContentOf } from '../../platform/text-encoding.ts';
import { readBlobs } from '../../repository/blob-reader.ts';
import { listTree, type Repository } from '../../repository/history.ts';
import { Layout } from '../../repository/layout.ts';
import { SkippedFiles } from '../../repository/skipped-files.ts';
import { checkContents } from './check-contents.ts';
import { CodeChecker } from './checker.ts';
import { type FileResult, maxSourceBytes, toFileResult } from './file-result.ts';
import { otherLanguageOf } from './other-languages.ts';
import { type SourceKind, skipReasonOf, sourceKindOf } from './paths.ts';
import type { CheckedFile } from './program/apply.ts';
import type { Ask } from './program/ask.ts';
import type { Questions } from './program/summary.ts';
import type { RuleBook } from './rule-book.ts';

type SourceFile = { path: string; id: string; kind: SourceKind; key: string };

export type TreeScan = {
  repository: Repository;
  head: string;
  book: RuleBook;
  /** Results for previously checked contents, by key. */
  known: ReadonlyMap<string, FileResult>;
  progress(fraction: number | null, message: string): void;
};

/** `missing`: the number of blobs that the repository lacks. */
export type TreeResult = {
  /** Asks files again about what others depend on. */
  ask: Ask;
  files: SourceFile[];
  results: Map<string, FileResult>;
  skipped: SkippedFiles;
  missing: number;
  leftOut: number;
  /** Ends the process that checks files. */
  close(): void;
};

const maxFiles = 500_000;

/** Returns the checked files of a tree with their results. */
export const checkedFiles = ({ files, results }: TreeResult): CheckedFile[] =>
  files.flatMap(({ path, key, kind }) => {
    const result = results.get(key);
    return result ? [{ path, language: kind.language, result }] : [];
  });

/** Returns the reasons, as sentences, why a tree was not checked completely; empty if it was. */
export const whyPartial = ({ leftOut, missing, files }: TreeResult): string[] => [
  ...(leftOut > 0 ? [`${leftOut} files beyond the first ${files.length} were not checked.`] : []),
  ...(missing > 0 ? [`${missing} file(s) are missing from the repository.`] : []),
];

/**
 * Checks the source files of a commit's tree. Known contents are not read again, and content at several paths is read
 * once.
 */
export async function scanTree(scan: TreeScan): Promise<TreeResult> {
  const { known } = scan;
  const { home, signal = new AbortController().signal } = scan.repository;
  const checker = new CodeChecker([...scan.book.rules.values()], { home, signal });
  const ask: Ask = (questions, take) => askFiles(scan.repository, checker, tree, questions, take);
  const tree: TreeResult = {
    ask,
    close: () => checker.close(),
    files: [],
    results: new Map(),
    skipped: new SkippedFiles(),
    missing: 0,
    leftOut: 0,
  };
  const unknown = new Map<string, SourceFile>();
  const layout = new Layout();
  for (const file of await listSources(scan, layout, tree)) {
    const reason = skipReasonOf(file.path, layout);
    if (reason) {
      tree.skipped.add(reason, file.path);
      continue;
    }
    tree.files.push(file);
    const result = known.get(file.key);
    if (result) tree.results.set(file.key, result);
    else unknown.set(file.key, file);
  }
  try {
    if (unknown.size > 0) await checkUnknown(scan, checker, tree, [...unknown.values()]);
    return tree;
  } catch (error) {
    checker.close();
    throw error;
  }
}

async function askFiles(
  repository: Repository,
  checker: CodeChecker,
  { files }: TreeResult,
  questions: Parameters<Ask>[0],
  take: Parameters<Ask>[1],
): Promise<void> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  async function* requests() {
    for (const [file, own] of questions) {
      const source = byPath.get(file.path);
      if (source) yield { ...source, file, own };
    }
  }
  async function* contents() {
    for await (const { request, content } of readBlobs(repository, requests(), maxSourceBytes)) {
      const text = content && textContentOf(content);
      if (text) yield { file: request, content: text };
    }
  }
  const askOne = ({ kind, own }: { kind: SourceKind; own: Questions }, content: Buffer) =>
    checker.ask(kind, content, own);
  await checkContents(askOne, contents(), ({ file }, answer) => answer && take(file, answer));
}

/** Counts a file in a language without rules, unless it belongs to a package. */
export function noteOther(skipped: SkippedFiles, path: string, layout: Layout): void {
  const language = otherLanguageOf(path);
  if (language !== null && skipReasonOf(path, layout) === null) skipped.addLanguage(language, path);
}

/** Lists the source files, without those that are already known to be in packages. */
async function listSources({ repository, head }: TreeScan, layout: Layout, tree: TreeResult): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const { path, id } of listTree(repository, head)) {
    layout.note(path);
    const kind = sourceKindOf(path);
    if (!kind) {
      noteOther(tree.skipped, path, layout);
      continue;
    }
    const reason = skipReasonOf(path, layout);
    if (reason) tree.skipped.add(reason, path);
    else if (files.length >= maxFiles) tree.leftOut++;
    // The same bytes differ in meaning between languages.
    else files.push({ path, id, kind, key: `${id} ${kind.extension}${kind.isTest ? ' test' : ''}` });
  }
  return files;
}

async function checkUnknown(
  scan: TreeScan,
  checker: CodeChecker,
  tree: TreeResult,
  files: SourceFile[],
): Promise<void> {
  const { repository } = scan;
  let done = 0;
  async function* requests() {
    yield* files;
  }
  async function* contents() {
    for await (const { request: file, size, content } of readBlobs(repository, requests(), maxSourceBytes)) {
      scan.progress(++done / files.length, `Checked ${done} of ${files.length} files`);
      if (size === null) tree.missing++;
      else if (!content) tree.results.set(file.key, { problem: 'size' });
      else {
        const text = textContentOf(content);
        if (text) yield { file, content: text };
        else tree.results.set(file.key, { hits: [], bounds: [] });
      }
    }
  }
  const check = ({ kind }: SourceFile, content: Buffer) => checker.check(kind, content);
  await checkContents(check, contents(), (file, outcome) => {
    tree.results.set(file.key, toFileResult(outcome, file.path));
  });
}
