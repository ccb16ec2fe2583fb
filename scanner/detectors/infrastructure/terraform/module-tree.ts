import { posix } from 'node:path';
import type { TerraformBlock } from '../terraform.ts';
import { isRecord, textOf, type Value } from '../value.ts';
import { type Arguments, evaluateModule, evaluateOutputs, type ModuleFile, type OutputsOf } from './evaluate-module.ts';
import { isUnknownText } from './functions.ts';

/** The modules of a repository by directory. */
export type Modules = Record<string, ModuleFile[]>;

const maxDepth = 10;
const maxCalls = 300;
const metaArguments = new Set(['source', 'version', 'providers', 'count', 'for_each', 'depends_on']);

/** Returns the directory of the module of the same repository that a block calls, or null. */
function calledDirectory(directory: string, { kind, body }: TerraformBlock): string | null {
  const source = textOf(body.source);
  if (kind !== 'module' || !/^\.\.?(?:\/|$)/.test(source) || isUnknownText(source)) return null;
  const target = posix.normalize(posix.join(directory, source)).replace(/\/$/, '');
  return target.startsWith('..') ? null : target;
}

/** Returns the directories that a module calls, directly or indirectly, including its own. */
export function closureOf(modules: Map<string, ModuleFile[]>, root: string): string[] {
  const reached = new Set([root]);
  for (const directory of reached) {
    for (const file of modules.get(directory) ?? []) {
      for (const block of file.blocks) {
        const target = calledDirectory(directory, block);
        if (target !== null && modules.has(target)) reached.add(target);
      }
    }
  }
  return [...reached];
}

/** Returns the directories that nothing calls, and one of each cycle of calls. */
export function rootsOf(modules: Map<string, ModuleFile[]>): string[] {
  const called = new Set(
    [...modules].flatMap(([directory, files]) =>
      files.flatMap((file) => file.blocks.map((block) => calledDirectory(directory, block))),
    ),
  );
  const roots = [...modules.keys()].filter((directory) => !called.has(directory));
  const reached = new Set(roots.flatMap((root) => closureOf(modules, root)));
  for (const directory of modules.keys()) {
    if (reached.has(directory)) continue;
    roots.push(directory);
    for (const member of closureOf(modules, directory)) reached.add(member);
  }
  return roots;
}

/**
 * Evaluates a module and the modules that it calls, each call with its arguments. Returns the blocks of each call:
 * rules check the files of one module together.
 */
export function evaluateTree(modules: Modules, root: string): TerraformBlock[][] {
  const results: TerraformBlock[][] = [];
  let outputCalls = 0;
  const outputsOf =
    (directory: string, ancestors: string[]): OutputsOf =>
    (block) => {
      const target = calledDirectory(directory, block);
      const files = target === null ? undefined : modules[target];
      const above = [...ancestors, directory];
      if (target === null || !files || above.length > maxDepth || above.includes(target)) return undefined;
      if (++outputCalls > maxCalls) return undefined;
      const outputs = evaluateOutputs(files, argumentsOf(block), outputsOf(target, above));
      return Object.fromEntries(
        Object.entries(outputs).map(([name, value]) => [
          name,
          withoutReferences(value, `module.${block.name}.${name}`),
        ]),
      );
    };
  const visit = (directory: string, args: Arguments, ancestors: string[], callers: TerraformBlock[]) => {
    const files = modules[directory];
    if (!files || results.length >= maxCalls || ancestors.length > maxDepth || ancestors.includes(directory)) return;
    const blocks = evaluateModule(files, args, outputsOf(directory, ancestors));
    results.push([...blocks, ...callers]);
    for (const block of blocks) {
      const target = calledDirectory(directory, block);
      if (target !== null)
        visit(target, argumentsOf(block), [...ancestors, directory], referringTo(block, files, blocks));
    }
  };
  visit(root, null, [], []);
  return results;
}

/**
 * Returns the resources that use the outputs of a called module. Constant outputs are filled in, so this reads the
 * unevaluated files.
 */
function referringTo({ name }: TerraformBlock, files: ModuleFile[], blocks: TerraformBlock[]): TerraformBlock[] {
  const reference = new RegExp(`\\bmodule\\.${name.replace(/[^\w-]/g, '\\$&')}(?![\\w-])`);
  const keyOf = (block: TerraformBlock) => `${block.type} ${block.name}`;
  const written = files.flatMap((file) => file.blocks).filter(({ kind }) => kind === 'resource');
  const referring = new Set(written.filter(({ body }) => reference.test(JSON.stringify(body))).map(keyOf));
  return blocks
    .filter(
      (block) =>
        block.kind === 'resource' && (referring.has(keyOf(block)) || reference.test(JSON.stringify(block.body))),
    )
    .map((block): TerraformBlock => ({ ...block, kind: 'caller' }));
}

const argumentsOf = ({ body }: TerraformBlock): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => !metaArguments.has(name))
      .map(([name, value]) => [name, withoutReferences(value, `var.${name}`)]),
  );

/** Removes references: an unknown value of one module must not look like a resource of the other. */
function withoutReferences(value: Value, reference: string): Value {
  if (isUnknownText(value)) return `\${${reference}}`;
  if (Array.isArray(value)) return value.map((item) => withoutReferences(item, reference));
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutReferences(item, reference)]))
    : value;
}
