import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../languages/language.ts';
import { conditionOf } from './branches.ts';
import { entryOf, type Key, spreadParts } from './containers.ts';
import { FileIndex } from './file-index.ts';
import { resultOf, sourceOfCallback } from './functions.ts';
import { Input, type Question } from './input.ts';
import { choosingOperators, combining, decoding, encoding, joiningOperators, passing, reading } from './names.ts';
import { deeper, isFollowed, type Path } from './path.ts';
import type { Scope } from './scope.ts';
import { argumentsOf, calleeName, kindOf, partOf, receiverOf, spanOf, withoutQuotes } from './syntax.ts';
import { addText, type Flow, isHarmlessCast, join, mark, newFlow, unknownValue } from './value.ts';
import { keyOf, type Source, sourcesOf } from './variable.ts';

const maxSteps = 1_000;
const maxStepsOfFile = 20_000;
const maxDepth = 40;
const maxCalls = 3;

/**
 * Traces the parts of an expression through the assignments of the enclosing functions, and through functions of the
 * same file, to request input and parameters. Anything it can't see counts as harmless: few false alarms matter more than
 * many findings.
 */
export class FlowTracker {
  readonly #language: Language;
  readonly #input: Input;
  readonly #file: FileIndex;
  readonly #kinds: Record<'identifiers' | 'literals' | 'templates' | 'texts' | 'binaries' | 'inert', Set<string>>;
  #steps = 0;
  #stepsOfFile = 0;

  constructor(language: Language, root: SgNode, source: string) {
    this.#language = language;
    this.#file = new FileIndex(language, root, source);
    this.#input = new Input(language, this.#file, source);
    const { identifiers, literals, templates, templateTexts, binaries, inert } = language;
    this.#kinds = {
      identifiers: new Set(identifiers),
      literals: new Set(literals),
      templates: new Set(templates),
      texts: new Set(templateTexts),
      binaries: new Set(binaries),
      inert: new Set(inert),
    };
  }

  /** Returns the contents of `expression` at its place. */
  follow(expression: SgNode, question: Question = {}): Flow {
    const flow = newFlow();
    this.#steps = 0;
    this.#input.ask(question, spanOf(expression));
    this.#visit(expression, flow, { open: new Set(), depth: 0, call: null, isCaller: false });
    return flow;
  }

  /** Returns whether a statement is never executed. */
  isDead(node: SgNode): boolean {
    return this.#file.reach(node).dead;
  }

  isCall(node: SgNode): boolean {
    return this.#language.calls[kindOf(node)] !== undefined;
  }

  #visit(node: SgNode, flow: Flow, path: Path): void {
    if (++this.#steps > maxSteps || ++this.#stepsOfFile > maxStepsOfFile || path.depth > maxDepth) return;
    const kind = kindOf(node);
    const { identifiers, literals, templates, texts, binaries, inert } = this.#kinds;
    if (this.#input.question.source && this.#input.isInput(node)) mark(flow, 'request');
    else if (literals.has(kind)) addText(flow, withoutQuotes(node.text()));
    else if (texts.has(kind)) addText(flow, node.text());
    else if (templates.has(kind)) this.#join(node.namedChildren(), flow, path);
    else if (this.#input.question.source && resultOf(node)) this.#visit(resultOf(node)!, flow, deeper(path));
    else if (inert.has(kind) || isHarmlessCast(node, kind, this.#input.question.into)) addText(flow, unknownValue);
    else if (binaries.has(kind)) this.#visitBinary(node, flow, path);
    else if (/^(?:ternary|conditional)(?:_expression)?$/.test(kind)) this.#visitChoice(node, flow, path);
    else if (this.isCall(node)) this.#visitCall(node, flow, path);
    else if (this.#input.isInput(node) && !(identifiers.has(kind) && this.#file.isAssigned(node)))
      this.#input.add(node, flow);
    else if (identifiers.has(kind)) this.#resolve(node, null, flow, path);
    else if (this.#language.members[kind] !== undefined) this.#visitPart(node, flow, path);
    else for (const part of this.#partsOf(node, kind)) this.#visit(part, flow, deeper(path));
  }

  #partsOf(node: SgNode, kind: string): SgNode[] {
    const fields = this.#language.conditionals[kind];
    if (fields) return fields.map((field) => node.field(field)).filter((part) => part !== null);
    return this.#input.question.whole ? spreadParts(node) : node.namedChildren();
  }

  #join(parts: SgNode[], flow: Flow, path: Path): void {
    join(flow, (inner) => {
      for (const part of parts) this.#visit(part, inner, deeper(path));
    });
  }

  #visitBinary(node: SgNode, flow: Flow, path: Path): void {
    const operator = node.field('operator')?.text() ?? '+';
    const parts = [node.field('left'), node.field('right')].filter((part) => part !== null);
    if (joiningOperators.test(operator)) this.#join(parts, flow, path);
    // The value of `a and b` and `a or b` may be either; other operators yield a number or a boolean.
    else if (choosingOperators.test(operator)) for (const part of parts) this.#visit(part, flow, deeper(path));
  }

  /** Adds both sides of `condition ? a : b`, or the one that a constant condition selects. */
  #visitChoice(node: SgNode, flow: Flow, path: Path): void {
    const condition = conditionOf(node);
    const children = node.namedChildren();
    const isPython = node.field('condition') === null;
    const [first, second] = isPython
      ? [children[0], children[2]]
      : [node.field('consequence') ?? node.field('body') ?? condition, node.field('alternative')];
    const value = condition ? this.#file.constants.valueOf(condition) : undefined;
    const chosen = value === true ? [first] : value === false ? [second] : [first, second];
    for (const part of chosen) if (part) this.#visit(part, flow, deeper(path));
  }

  #visitPart(node: SgNode, flow: Flow, path: Path): void {
    const part = partOf(this.#language, node);
    const key = part && part.key !== null ? keyOf(this.#file, [part.key]) : null;
    if (part) this.#visitSource({ value: part.whole, key }, flow, deeper(path));
  }

  /** Adds a value, or only the part of it that a key selects. */
  #visitSource({ value, key }: Source, flow: Flow, path: Path): void {
    if (key === null) {
      this.#visit(value, flow, path);
      return;
    }
    if (this.#kinds.identifiers.has(kindOf(value)) && !this.#input.isInput(value)) {
      this.#resolve(value, key, flow, path);
      return;
    }
    const entry = entryOf(this.#language, value, key, this.#file.constants);
    if (entry === 'none' || (entry === 'unknown' && this.#input.question.whole)) addText(flow, unknownValue);
    else this.#visit(entry === 'unknown' ? value : entry, flow, path);
  }

  #visitCall(node: SgNode, flow: Flow, from: Path): void {
    const name = calleeName(this.#language, node);
    const path = decoding.test(name) ? { ...from, isDecoded: true } : from;
    if (this.#input.isClean(name) && !(from.isDecoded && encoding.test(name))) {
      addText(flow, unknownValue);
      return;
    }
    if (this.#input.isInput(node)) {
      this.#input.add(node, flow);
      return;
    }
    const receiver = receiverOf(this.#language, node);
    const on = receiver && this.#file.isModule(receiver) ? null : receiver;
    const values = argumentsOf(node).map((argument) => argument.value);
    if (on && reading.test(name) && this.#kinds.identifiers.has(kindOf(on))) {
      const key = keyOf(this.#file, values);
      const first = values.length > 1 ? keyOf(this.#file, values.slice(0, 1)) : null;
      if (key !== null || first !== null) {
        this.#resolve(on, key ?? first, flow, deeper(path));
        return;
      }
    }
    const definition = this.#file.functions.called(node, name);
    if (definition && (path.call?.count ?? 0) < maxCalls && !isFollowed(definition, path.call)) {
      const call = { definition, arguments: values, outer: path.call, count: (path.call?.count ?? 0) + 1 };
      for (const result of this.#file.functions.resultsOf(definition))
        if (!this.isDead(result)) this.#visit(result, flow, { ...deeper(path), call });
      return;
    }
    const parts = [...(on ? [on] : []), ...values];
    if (this.#language.builders.test(name)) {
      this.#join(parts, flow, path);
      return;
    }
    // The result of another function is not known to be safe, nor is the text that it adds.
    const { request: before, text, before: beforeInput } = flow;
    if (on) this.#visit(on, flow, deeper(path));
    // An object that holds no input is not before it: `decoder.decode(input)`.
    if (values.length > 0 && flow.before === beforeInput && !combining.test(name)) flow.text = text;
    const onlyReceiver = flow.request;
    for (const value of values) this.#visit(value, flow, deeper(path));
    if (!before && !onlyReceiver && flow.request && !passing.test(name)) flow.passed = true;
    if (parts.length === 0) addText(flow, unknownValue);
  }

  /** Adds what a variable holds, or the part of it that a key selects. */
  #resolve(node: SgNode, key: Key | null, flow: Flow, path: Path): void {
    const name = node.text();
    const place = spanOf(node);
    for (const scope of this.#file.index.around(place)) {
      const opened = `${scope.start} ${scope.end} ${name} ${key} ${place.start} ${path.call?.count ?? 0}`;
      if (path.open.has(opened)) return;
      const earlier = this.#file.index.changes(scope, name).filter((change) => change.end <= place.start);
      const parameter = this.#file.parameterOf(scope, name);
      if (earlier.length === 0 && !parameter) continue;
      const before = { ...flow };
      path.open.add(opened);
      const changes = earlier.filter((change) => this.#input.counts(change) && !this.#file.reach(change.node).dead);
      const { sources, isInput, isComplete } = sourcesOf(this.#language, this.#file, changes, key, place, (change) =>
        this.#input.takes(change),
      );
      if (isInput) mark(flow, 'request');
      const isOpen = !isComplete && parameter !== null;
      if (isOpen) this.#visitParameter(scope, parameter, flow, path);
      if (sources.length === 0 && !isOpen) addText(flow, unknownValue);
      const inner = deeper(path);
      const add = (into: Flow) => {
        for (const source of sources) this.#visitSource(source, into, inner);
      };
      if (sources.length > 1 || isOpen) join(flow, add);
      else add(flow);
      path.open.delete(opened);
      const hasInput = (flow.request && !before.request) || (flow.parameter && !before.parameter);
      // Whether it was checked takes longer to find out.
      if (hasInput && this.#input.isChecked(name, scope, place)) addText(Object.assign(flow, before), unknownValue);
      return;
    }
    addText(flow, unknownValue);
  }

  #visitParameter(scope: Scope, parameter: { position: number; source: string }, flow: Flow, path: Path): void {
    const { call } = path;
    if (call && call.definition.id() === scope.node.id()) {
      const given = call.arguments[parameter.position];
      if (given) this.#visit(given, flow, { ...deeper(path), call: call.outer });
      else addText(flow, unknownValue);
      return;
    }
    if (parameter.source === 'harmless') {
      addText(flow, unknownValue);
      return;
    }
    if (this.#input.question.source === undefined) {
      if (parameter.source === 'request') {
        mark(flow, 'request');
        return;
      }
      mark(flow, 'parameter');
    }
    const from = parameter.position === 0 ? sourceOfCallback(this.#language, scope.node) : null;
    if (from) {
      this.#visit(from, flow, deeper(path));
      return;
    }
    if (path.isCaller || path.call) return;
    for (const caller of this.#file.functions.callersOf(scope.node)) {
      const given = argumentsOf(caller)[parameter.position]?.value;
      if (given && !this.isDead(caller)) this.#visit(given, flow, { ...deeper(path), isCaller: true });
    }
  }
}
