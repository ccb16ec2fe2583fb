import type { TerraformBlock, TerraformFile } from '../terraform.ts';
import { entriesOf, isRecord, listOf, textOf, type Value } from '../value.ts';
import { elementsOf, evaluateConstant, evaluateText, type Scope, withNames } from './evaluate.ts';
import { readTemplate } from './expression.ts';
import type { Expression } from './expression-scanner.ts';
import { isUnknownText } from './functions.ts';

/** A file of a module. For an unreadable file, only the name is known. */
export type ModuleFile = TerraformFile & { path: string; isUnreadable?: boolean };
/** The arguments of a module's call; null for a module that nothing calls. */
export type Arguments = Record<string, Value> | null;
/** Returns the outputs of a called module, or undefined if they are unknown. */
export type OutputsOf = (call: TerraformBlock) => Record<string, Value> | undefined;

const maxInstances = 50;
const maxSteps = 500_000;
const maxNesting = 50;

type Instances = Array<Record<string, Value>>;

/**
 * Computes the constant values of a module's blocks: from defaults of variables, variable files, locals, the arguments
 * of its call and the outputs of the modules that it calls. Blocks with a known `count` or `for_each` are repeated, or
 * left out if the count is 0.
 */
export function evaluateModule(files: ModuleFile[], args: Arguments, outputsOf: OutputsOf): TerraformBlock[] {
  const values = new ModuleValues(files, args, outputsOf);
  const unreadable = files.filter((file) => file.isUnreadable).map(({ path }) => unreadableBlock(path));
  return files
    .flatMap((file) => file.blocks.map((block): TerraformBlock => ({ ...block, path: file.path })))
    .filter(({ kind }) => kind !== 'variable' && kind !== 'locals' && kind !== 'output')
    .flatMap((block) =>
      values.instancesOf(block).map((names) => ({ ...block, body: values.bodyOf(block.body, names) })),
    )
    .concat(unreadable);
}

/** Computes the outputs of a module. */
export function evaluateOutputs(files: ModuleFile[], args: Arguments, outputsOf: OutputsOf): Record<string, Value> {
  const values = new ModuleValues(files, args, outputsOf);
  const outputs = files.flatMap((file) => file.blocks.filter(({ kind }) => kind === 'output'));
  return Object.fromEntries(outputs.map(({ name, body }) => [name, values.bodyOf({ value: body.value }, {}).value]));
}

const unreadableBlock = (path: string): TerraformBlock => ({
  kind: 'unreadable',
  type: '',
  name: '',
  body: {},
  path,
  startLine: 1,
  endLine: 1,
});

class ModuleValues {
  readonly #variables = new Map<string, { value: Value; isDefault: boolean }>();
  readonly #locals = new Map<string, Value>();
  readonly #modules = new Map<string, TerraformBlock>();
  readonly #outputsOf: OutputsOf;
  readonly #known = new Map<string, { value: Value | undefined; usesDefaults: boolean }>();
  readonly #inProgress = new Set<string>();
  readonly #budget = { steps: maxSteps };
  #usesDefaults = false;

  constructor(files: ModuleFile[], args: Arguments, outputsOf: OutputsOf) {
    this.#outputsOf = outputsOf;
    const blocks = files.flatMap((file) => file.blocks);
    const set = args ?? valuesOfFiles(files);
    for (const { name, body } of blocks.filter(({ kind }) => kind === 'variable')) {
      const isDefault = !Object.hasOwn(set, name);
      const value = isDefault ? body.default : set[name];
      if (value !== undefined)
        this.#variables.set(name, { value: withOptionalMembers(textOf(body.type), value), isDefault });
    }
    for (const block of blocks) if (block.kind === 'module') this.#modules.set(block.name, block);
    for (const { body } of blocks.filter(({ kind }) => kind === 'locals'))
      for (const [name, value] of entriesOf(body)) this.#locals.set(name, value);
  }

  readonly #scope: Scope = {
    budget: this.#budget,
    lookup: (name, key) => {
      if (key === null) return undefined;
      if (name === 'var') return this.#variable(key);
      if (name === 'module') return this.#moduleOutputs(key);
      return name === 'local' ? this.#local(key) : undefined;
    },
  };

  #variable(name: string): Value | undefined {
    const variable = this.#variables.get(name);
    if (variable?.isDefault) this.#usesDefaults = true;
    return variable?.value;
  }

  #local(name: string): Value | undefined {
    if (!this.#locals.has(name)) return undefined;
    return this.#remember(name, () => this.#evaluate(this.#locals.get(name), this.#scope));
  }

  /** A module that is called several times has several values of each output. */
  #moduleOutputs(name: string): Value | undefined {
    const block = this.#modules.get(name);
    if (!block || block.body.count !== undefined || block.body.for_each !== undefined) return undefined;
    return this.#remember(`module.${name}`, () =>
      this.#outputsOf({ ...block, body: this.#evaluateRecord(block.body, this.#scope) }),
    );
  }

  #remember(name: string, compute: () => Value | undefined): Value | undefined {
    const known = this.#known.get(name);
    if (known) {
      this.#usesDefaults ||= known.usesDefaults;
      return known.value;
    }
    // A cycle, or an implausibly long chain of values.
    if (this.#inProgress.has(name) || this.#inProgress.size > maxNesting) return undefined;
    this.#inProgress.add(name);
    const before = this.#usesDefaults;
    this.#usesDefaults = false;
    const value = compute();
    this.#known.set(name, { value, usesDefaults: this.#usesDefaults });
    this.#usesDefaults ||= before;
    this.#inProgress.delete(name);
    return value;
  }

  /** Returns the names of each instance of a block. A default that creates no instance is likely to be changed. */
  instancesOf({ body }: TerraformBlock): Instances {
    this.#usesDefaults = false;
    if (body.count !== undefined) {
      const count = this.#evaluate(body.count, this.#scope);
      const number =
        isUnknownText(count) || typeof count === 'object'
          ? 1
          : Number(textOf(count) === 'true' ? 1 : textOf(count) || 0);
      if (number === 0 && !this.#usesDefaults) return [];
      return [number === 1 && !isUnknownText(count) ? { count: { index: 0 } } : {}];
    }
    if (body.for_each === undefined) return [{}];
    const elements = this.#elements(body.for_each, this.#scope);
    if (!elements || elements.length > maxInstances || this.#budget.steps < 0) return [{}];
    if (elements.length === 0) return this.#usesDefaults ? [{}] : [];
    return elements.map(([key, value]) => ({ each: { key, value } }));
  }

  bodyOf(body: Record<string, Value>, names: Record<string, Value>): Record<string, Value> {
    return this.#evaluateRecord(body, withNames(this.#scope, names));
  }

  /** Sets have their values as keys. */
  #elements(value: Value, scope: Scope): Array<[Value, Value]> | null {
    const evaluated = this.#evaluate(value, scope);
    const elements = elementsOf(evaluated);
    return elements && Array.isArray(evaluated) ? elements.map(([, item]) => [item, item]) : elements;
  }

  #evaluate(value: Value, scope: Scope): Value {
    if (typeof value === 'string') return evaluateText(value, scope);
    if (Array.isArray(value)) return value.map((item) => this.#evaluate(item, scope));
    return isRecord(value) ? this.#evaluateRecord(value, scope) : value;
  }

  #evaluateRecord(record: Record<string, Value>, scope: Scope): Record<string, Value> {
    const result: Record<string, Value> = {};
    for (const [key, value] of Object.entries(record)) {
      this.#budget.steps--;
      if (key === 'dynamic' && isRecord(value)) continue;
      result[textOf(evaluateText(key, scope))] = this.#evaluate(value, scope);
    }
    for (const [label, specifications] of entriesOf(record.dynamic)) {
      for (const specification of listOf(specifications)) {
        const bodies = this.#dynamicBodies(label, specification, scope);
        if (bodies) result[label] = [...listOf(result[label]), ...bodies];
        // The set of blocks is unknown.
        else result.dynamic = { ...(isRecord(result.dynamic) ? result.dynamic : {}), [label]: true };
      }
    }
    return result;
  }

  /** Returns the blocks that a dynamic block generates, or null if they are unknown. */
  #dynamicBodies(label: string, specification: Value, scope: Scope): Value[] | null {
    // Nested dynamic blocks multiply.
    if (!isRecord(specification) || this.#budget.steps < 0) return null;
    const before = this.#usesDefaults;
    this.#usesDefaults = false;
    const elements = this.#elements(specification.for_each, scope);
    const isChangeable = this.#usesDefaults;
    this.#usesDefaults ||= before;
    if (!elements || elements.length > maxInstances || (elements.length === 0 && isChangeable)) return null;
    const iterator = /\w+/.exec(textOf(specification.iterator))?.[0] ?? label;
    return elements.flatMap(([key, value]) =>
      listOf(specification.content).map((content) =>
        this.#evaluate(content, withNames(scope, { [iterator]: { key, value } })),
      ),
    );
  }
}

/**
 * Returns the values of the variable files: those that Terraform loads by itself, and for the others the values that
 * they agree on. Values on which they disagree are unknown.
 */
function valuesOfFiles(files: ModuleFile[]): Record<string, Value> {
  const isAutomatic = ({ path }: ModuleFile) => /(?:^|\/)(?:terraform|[^/]*\.auto)\.tfvars(?:\.json)?$/.test(path);
  const others = files.filter((file) => /\.tfvars(?:\.json)?$/.test(file.path) && !isAutomatic(file));
  const result: Record<string, Value> = Object.assign({}, ...files.filter(isAutomatic).map(({ values }) => values));
  for (const name of new Set(others.flatMap(({ values }) => Object.keys(values)))) {
    const choices = others.filter(({ values }) => Object.hasOwn(values, name)).map(({ values }) => values[name]);
    const isCertain = choices.every((choice) => JSON.stringify(choice) === JSON.stringify(choices[0]));
    result[name] = isCertain ? choices[0] : `\${var.${name}}`;
  }
  return result;
}

/**
 * Adds the members that a variable's type declares as `optional(TYPE, DEFAULT)` and that a value omits or sets to null.
 * Without a default they are null. `type` is the text of the declaration.
 */
function withOptionalMembers(type: string, value: Value): Value {
  if (!type.includes('optional(')) return value;
  try {
    return fill(readTemplate(type), value);
  } catch {
    // A type that can't be read makes the value unknown: its members may have other defaults.
    return '${var}';
  }
}

function fill(type: Expression, value: Value): Value {
  if (type.type !== 'call' || isUnknownText(value) || typeof value !== 'object' || value === null) return value;
  const [inner] = type.args;
  if (inner === undefined) return value;
  if (type.name === 'object' && inner.type === 'object')
    return isRecord(value) ? fillObject(inner.entries, value) : value;
  if (!/^(?:list|set|map)$/.test(type.name)) return value;
  return Array.isArray(value)
    ? value.map((item) => fill(inner, item))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(inner, item)]));
}

function fillObject(members: Array<[Expression, Expression]>, value: Record<string, Value>): Record<string, Value> {
  const result = { ...value };
  for (const [key, type] of members) {
    const name = key.type === 'literal' ? textOf(key.value) : key.text;
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const isOptional = type.type === 'call' && type.name === 'optional';
    const inner = isOptional ? type.args[0] : type;
    const fallback = isOptional ? type.args[1] : undefined;
    if (inner === undefined) continue;
    if (given !== undefined && given !== null) result[name] = fill(inner, given);
    else if (isOptional) result[name] = fallback ? fill(inner, evaluateConstant(fallback)) : null;
  }
  return result;
}
