import { isCollection, isNode, isPair, LineCounter, parseAllDocuments, type Tags, visit } from 'yaml';
import type { Path, Value } from './value.ts';

type Lines = { startLine: number; endLine: number };

/** A document of a YAML file as plain data, with the lines of its values. */
export type YamlDocument = {
  value: Value;
  /** Returns the lines of the key and its value at a path, or of its nearest existing parent. */
  linesOf(path: Path): Lines;
};

const maxDocuments = 2_000;
const maxDepth = 60;
/** The limit for repeating anchors: real files use a handful, bombs billions. */
const maxAliases = 200;

/** Reads a file of one or more documents, with custom tags. Throws a sentence with the line of a syntax error. */
export function readYaml(text: string, customTags: Tags = []): YamlDocument[] {
  checkDepth(text);
  const lines = new LineCounter();
  // Pretty errors quote the file, which may contain a secret.
  const parsed = parseAllDocuments(text, {
    lineCounter: lines,
    merge: true,
    prettyErrors: false,
    uniqueKeys: false,
    customTags,
  });
  if (!Array.isArray(parsed)) return [];
  return parsed.slice(0, maxDocuments).map((document) => {
    const [error] = document.errors;
    if (error)
      throw new Error(`line ${lines.linePos(error.pos[0]).line}: ${error.code.toLowerCase().replaceAll('_', ' ')}`);
    visit(document, {
      Node: (_key, _node, ancestors) => {
        if (ancestors.length > maxDepth * 2) throw new Error('it is nested too deeply');
      },
    });
    const value: Value = document.toJS({ maxAliasCount: maxAliases });
    return { value, linesOf: (path) => linesAt(document.contents, path, lines) };
  });
}

/** The parser recurses for each level, and brackets are the shortest form of deep nesting. */
function checkDepth(text: string) {
  let depth = 0;
  for (const { 0: bracket } of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > maxDepth * 4) throw new Error('it is nested too deeply');
  }
}

function linesAt(root: unknown, path: Path, lines: LineCounter): Lines {
  let node = root;
  let range = rangeOf(root) ?? [0, 0];
  for (const step of path) {
    if (!isCollection(node)) break;
    const item = node.items.find((entry, index) =>
      isPair(entry)
        ? String((entry.key as { value?: unknown } | null)?.value ?? entry.key) === String(step)
        : index === step,
    );
    if (item === undefined) break;
    const value = isPair(item) ? item.value : item;
    const [start, end] = [rangeOf(isPair(item) ? item.key : item)?.[0], rangeOf(value)?.[1]];
    const before: [number, number] = range;
    range = [start ?? before[0], Math.max(end ?? 0, start ?? before[0])];
    node = value;
  }
  const startLine = lines.linePos(range[0]).line;
  return { startLine, endLine: Math.max(startLine, lines.linePos(Math.max(range[0], range[1] - 1)).line) };
}

const rangeOf = (node: unknown): [number, number] | null =>
  isNode(node) && node.range ? [node.range[0], node.range[1]] : null;
