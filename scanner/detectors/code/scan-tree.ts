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
  files: SourceFile[];
  results: Map<string, FileResult>;
  skipped: SkippedFiles;
  missing: number;
  leftOut: number;
};

const maxFiles = 500_000;

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
  const tree: TreeResult = { files: [], results: new Map(), skipped: new SkippedFiles(), missing: 0, leftOut: 0 };
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
  if (unknown.size > 0) await checkUnknown(scan, tree, [...unknown.values()]);
  return tree;
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
    else files.push({ path, id, kind, key: `${id} ${kind.extension}` });
  }
  return files;
}

async function checkUnknown(scan: TreeScan, tree: TreeResult, files: SourceFile[]): Promise<void> {
  const { repository, book } = scan;
  const { home, signal = new AbortController().signal } = repository;
  const checker = new CodeChecker([...book.rules.values()], { home, signal });
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
  try {
    await checkContents(checker, contents(), (file, outcome) => {
      tree.results.set(file.key, toFileResult(outcome, file.path));
    });
  } finally {
    checker.close();
  }
}
