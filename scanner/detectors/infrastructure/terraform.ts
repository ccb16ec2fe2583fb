import { createRequire } from 'node:module';
import type { parse as Parse } from '@cdktf/hcl2json';
import { BlockLines } from './terraform/block-lines.ts';
import { entriesOf, isRecord, listOf, type Value } from './value.ts';

const kinds = ['resource', 'data', 'provider', 'module', 'variable', 'locals', 'output'] as const;

/**
 * A block of Terraform: `resource "type" "name"`, `data "type" "name"`, `provider "type"`, `module "name"` and so on.
 * `unreadable` is a file of the module whose blocks are unknown, `caller` a resource of the calling module that refers to
 * this one.
 */
export type TerraformBlock = {
  kind: (typeof kinds)[number] | 'unreadable' | 'caller';
  /** Empty for modules, variables, locals and outputs. */
  type: string;
  name: string;
  /** Attributes unchanged, nested blocks as lists, expressions as strings with `${…}`. */
  body: Record<string, Value>;
  startLine: number;
  endLine: number;
  /** The file within the module. */
  path?: string;
};

/** A file: its blocks, and the values that a file of variables (`*.tfvars`) sets. */
export type TerraformFile = { blocks: TerraformBlock[]; values: Record<string, Value> };

const maxDepth = 100;
const timeoutMs = 10_000;

// HashiCorp's own parser, compiled to WebAssembly. Loading it takes about 100 ms, so only scans of Terraform load it.
let parser: typeof Parse | undefined;
const load = () => (parser ??= (createRequire(import.meta.url)('@cdktf/hcl2json') as { parse: typeof Parse }).parse);

/** Reads a Terraform file. Throws a sentence with the line of a syntax error. */
export async function readTerraform(text: string): Promise<TerraformFile> {
  checkDepth(text);
  const parsed = /^\s*\{/.test(text) ? readJson(text) : await readHcl(text);
  const lines = new BlockLines(text);
  const values = Object.fromEntries(
    entriesOf(parsed).filter(([name]) => !kinds.includes(name as (typeof kinds)[number])),
  );
  return { blocks: kinds.flatMap((kind) => blocksOf(kind, parsed[kind], lines)), values };
}

function readJson(text: string): Record<string, Value> {
  try {
    const parsed: Value = JSON.parse(text);
    return isRecord(parsed) ? parsed : {};
  } catch {
    throw new Error('it is not valid JSON');
  }
}

async function readHcl(text: string): Promise<Record<string, Value>> {
  return await withinTime(load()('file.tf', text)).catch((error: Error) => {
    const place = /\[?file\.tf:(\d+),[\d-]+:? ?([^;\]]*)/.exec(error.message);
    throw new Error(place ? `line ${place[1]}: ${place[2]!.slice(0, 200)}` : error.message.slice(0, 200));
  });
}

function blocksOf(kind: TerraformBlock['kind'], found: Value, lines: BlockLines): TerraformBlock[] {
  const create = (type: string, name: string, bodies: Value) =>
    (Array.isArray(bodies) ? listOf(bodies) : [bodies]).filter(isRecord).map((body) => {
      // A provider's header has only its type, a module's only its name.
      const header = { kind, type: type || name, name: type ? name : '' };
      return { kind, type, name, body, ...lines.next(header) };
    });
  if (kind === 'locals') return create('', '', found);
  const byFirst = entriesOf(found);
  if (kind === 'module' || kind === 'variable' || kind === 'output')
    return byFirst.flatMap(([name, bodies]) => create('', name, bodies));
  if (kind === 'provider') return byFirst.flatMap(([type, bodies]) => create(type, '', bodies));
  return byFirst.flatMap(([type, named]) =>
    (Array.isArray(named) ? named : [named]).flatMap((names) =>
      entriesOf(names).flatMap(([name, bodies]) => create(type, name, bodies)),
    ),
  );
}

/** Limits the time: the parser, written in Go, never returns if it fails. */
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
