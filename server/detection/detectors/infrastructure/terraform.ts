import { createRequire } from 'node:module';
import type { parse as Parse } from '@cdktf/hcl2json';
import { entriesOf, isRecord, listOf, type Value } from './value.ts';

/** A block of Terraform: `resource "type" "name"`, `data "type" "name"` or `provider "type"`. */
export type TerraformBlock = {
  kind: 'resource' | 'data' | 'provider';
  type: string;
  name: string;
  /** Attributes as they are, nested blocks as lists, expressions as strings with `${…}`. */
  body: Record<string, Value>;
  startLine: number;
  endLine: number;
};

const maxDepth = 100;
const timeoutMs = 10_000;
const kinds = ['resource', 'data', 'provider'] as const;

// HashiCorp's own parser, compiled to WebAssembly. Loading takes some 100 ms, so only scans of Terraform load it.
let parser: typeof Parse | undefined;
const load = () => (parser ??= (createRequire(import.meta.url)('@cdktf/hcl2json') as { parse: typeof Parse }).parse);

/** Reads a Terraform file. Throws a sentence with the line of a syntax error. */
export async function readTerraform(text: string): Promise<TerraformBlock[]> {
  checkDepth(text);
  const parsed = await withinTime(load()('file.tf', text)).catch((error: Error) => {
    const place = /\[?file\.tf:(\d+),[\d-]+:? ?([^;\]]*)/.exec(error.message);
    throw new Error(place ? `line ${place[1]}: ${place[2]!.slice(0, 200)}` : error.message.slice(0, 200));
  });
  const lines = text.split('\n');
  return kinds.flatMap((kind) =>
    entriesOf(parsed[kind]).flatMap(([type, named]) => {
      const byName = kind === 'provider' ? [['', named] as const] : entriesOf(named);
      return byName.flatMap(([name, bodies]) =>
        listOf(bodies)
          .filter(isRecord)
          .map((body, index) => ({ kind, type, name, body, ...findLines(lines, kind, type, name, index) })),
      );
    }),
  );
}

/** Bounds the time: the parser, written in Go, never returns when it fails. */
async function withinTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('it could not be parsed in time')), timeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function checkDepth(text: string) {
  let depth = 0;
  for (const { 0: bracket } of text.matchAll(/[[\](){}]/g)) {
    depth += '[({'.includes(bracket) ? 1 : -1;
    if (depth > maxDepth) throw new Error('it is nested too deeply');
  }
}

const escaped = (text: string) => text.replace(/[^\w-]/g, '\\$&');

/**
 * The parser reports no positions. Finds a block by its header; it ends at the closing brace of the same indentation.
 */
function findLines(lines: string[], kind: string, type: string, name: string, index: number) {
  const header = new RegExp(
    `^\\s*${kind}\\s+"?${escaped(type)}"?\\s+${name === '' ? '' : `"?${escaped(name)}"?\\s*`}\\{`,
  );
  let left = index;
  const start = lines.findIndex((line) => header.test(line) && left-- === 0);
  if (start < 0) return { startLine: 1, endLine: 1 };
  const indent = /^\s*/.exec(lines[start]!)![0];
  const end = lines.findIndex((line, at) => at >= start && line.startsWith(`${indent}}`));
  const isOneLine = /\}\s*$/.test(lines[start]!);
  return { startLine: start + 1, endLine: isOneLine || end < 0 ? start + 1 : end + 1 };
}
