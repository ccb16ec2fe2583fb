import { isRecord, type Value } from '../value.ts';
import { functions, isTruthy, lenientFunctions, printed, UnknownPart, unknown } from './template-functions.ts';
import type { Node, Operand, Pipeline } from './template-syntax.ts';

/** A rendered text, and the template line of each of its lines. */
export type Rendered = { text: string; lines: number[] };

const maxSteps = 100_000;
const maxLength = 1_000_000;
const maxIncludes = 30;
const maxItems = 500;

type Scope = { dot: Value; variables: Map<string, Value> };

/**
 * Renders a template with known values. Throws if the choice of rendered parts depends on an unknown value; an unknown
 * single value becomes `${unknown}`.
 */
export class TemplateRenderer {
  readonly #definitions = new Map<string, Node[]>();
  #steps = maxSteps;
  #includes = 0;
  #output = '';
  #row = 0;
  #lines: number[] = [];

  /** Adds the named templates of a file. */
  define(nodes: Node[]): void {
    for (const node of nodes) if (node.type === 'define') this.#definitions.set(node.name, node.body);
  }

  render(nodes: Node[], root: Value): Rendered {
    this.#output = '';
    this.#row = 0;
    this.#lines = [];
    this.#includes = 0;
    this.#run(nodes, { dot: root, variables: new Map([['$', root]]) });
    return { text: this.#output, lines: this.#lines };
  }

  /** A line is attributed to its first visible character. */
  #emit(text: string, line: number, isLiteral: boolean) {
    if (this.#output.length + text.length > maxLength) throw new UnknownPart();
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) this.#row++;
      if (part.trim() !== '') this.#lines[this.#row] ??= isLiteral ? line + index : line;
    }
    this.#output += text;
  }

  #run(nodes: Node[], scope: Scope) {
    for (const node of nodes) {
      if (--this.#steps < 0) throw new UnknownPart();
      this.#runNode(node, scope);
    }
  }

  #runNode(node: Node, scope: Scope) {
    switch (node.type) {
      case 'text':
        return this.#emit(node.text, node.line, true);
      case 'print':
        return this.#emit(printed(this.#evaluate(node.pipeline, scope)), node.line, false);
      case 'assign':
        return void scope.variables.set(node.name, this.#evaluate(node.pipeline, scope));
      case 'template':
        return this.#emit(this.#include(node.name, this.#evaluate(node.pipeline, scope)), node.line, false);
      case 'define':
        return;
      case 'range':
        return this.#range(node, scope);
      default: {
        const value = this.#certain(node.pipeline, scope);
        const inner = { dot: node.type === 'with' ? value : scope.dot, variables: scope.variables };
        if (node.name) inner.variables.set(node.name, value);
        return isTruthy(value) ? this.#run(node.body, inner) : this.#run(node.otherwise, scope);
      }
    }
  }

  #range({ names, pipeline, body, otherwise }: Node & { type: 'range' }, scope: Scope) {
    const value = this.#certain(pipeline, scope);
    const items: Array<[Value, Value]> = Array.isArray(value)
      ? value.map((item, index) => [index, item])
      : isRecord(value)
        ? Object.entries(value).sort(([first], [second]) => (first < second ? -1 : 1))
        : [];
    if (items.length > maxItems || (typeof value === 'number' && value > 0)) throw new UnknownPart();
    if (items.length === 0) return this.#run(otherwise, scope);
    for (const [key, item] of items) {
      if (names.length > 1) scope.variables.set(names[0]!, key);
      if (names.length > 0) scope.variables.set(names.at(-1)!, item);
      this.#run(body, { dot: item, variables: scope.variables });
    }
  }

  /** Evaluates a value that determines which parts are rendered. */
  #certain(pipeline: Pipeline, scope: Scope): Value {
    const value = this.#evaluate(pipeline, scope);
    if (value === unknown) throw new UnknownPart();
    return value;
  }

  #evaluate(pipeline: Pipeline, scope: Scope): Value {
    let result: Value[] = [];
    for (const command of pipeline) {
      if (--this.#steps < 0) throw new UnknownPart();
      result = [this.#command(command, scope, result)];
    }
    return result[0];
  }

  #command([first, ...rest]: Operand[], scope: Scope, piped: Value[]): Value {
    if (!first) throw new UnknownPart();
    if (first.type !== 'function') {
      if (rest.length + piped.length > 0) throw new UnknownPart();
      return this.#operand(first, scope);
    }
    const args = [...rest.map((operand) => this.#operand(operand, scope)), ...piped];
    if (first.name === 'include') return this.#include(printed(args[0]), args[1]);
    if (!Object.hasOwn(functions, first.name)) return unknown;
    if (args.includes(unknown) && !lenientFunctions.has(first.name)) return this.#unknownResult(first.name);
    return functions[first.name]!(...args);
  }

  /** An unknown list or map can’t be written as one value. */
  #unknownResult(name: string): Value {
    if (/^(?:toYaml|n?indent|tpl)$/.test(name)) throw new UnknownPart();
    return unknown;
  }

  #operand(operand: Operand, scope: Scope): Value {
    switch (operand.type) {
      case 'literal':
        return operand.value;
      case 'function':
        return this.#command([operand], scope, []);
      case 'group':
        return this.#path(this.#evaluate(operand.pipeline, scope), operand.path);
      default: {
        const start = operand.root === '' ? scope.dot : scope.variables.get(operand.root);
        return this.#path(start, operand.path);
      }
    }
  }

  #path(value: Value, path: string[]): Value {
    return path.reduce((here: Value, name) => {
      if (here === unknown) return unknown;
      return isRecord(here) && Object.hasOwn(here, name) ? here[name] : undefined;
    }, value);
  }

  #include(name: string, dot: Value): string {
    const body = this.#definitions.get(name);
    if (!body || this.#includes > maxIncludes) throw new UnknownPart();
    const [output, row, lines] = [this.#output, this.#row, this.#lines];
    this.#output = '';
    this.#row = 0;
    this.#lines = [];
    this.#includes++;
    this.#run(body, { dot, variables: new Map([['$', dot]]) });
    this.#includes--;
    const included = this.#output;
    this.#output = output;
    this.#row = row;
    this.#lines = lines;
    return included;
  }
}
