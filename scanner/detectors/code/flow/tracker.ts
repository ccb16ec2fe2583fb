import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../languages/language.ts';
import { isExtensionName } from '../program/csharp.ts';
import type { Names } from '../program/names.ts';
import { hasOpenClasses } from '../program/open-classes.ts';
import { isPackaged } from '../program/packages.ts';
import { partName, partsOfCall } from '../program/parts.ts';
import { chosenBy } from './branches.ts';
import {
  type CallResult,
  callResultOf,
  choosingOperators,
  combining,
  constantName,
  decoding,
  encoding,
  joiningOperators,
  passing,
  reading,
} from './call-result.ts';
import { isBlockParameter, resultOf, sourceOfCallback } from './callbacks.ts';
import { isDeriving } from './check-names.ts';
import { choosingChanges, choosingParts } from './commands.ts';
import { entryOf, isHarmlessPart, type Key, namesHost, partsOfValue } from './containers.ts';
import { isFieldAccess, returnsOwnFields } from './fields.ts';
import type { FileIndex } from './file-index.ts';
import { Input, type Question } from './input.ts';
import type { Scope } from './scope.ts';
import { argumentsOf, calleeName, kindOf, kindSets, partOf, receiverOf, spanOf, withoutQuotes } from './syntax.ts';
import { type Parameter, takesRest } from './targets.ts';
import { asPart, deeper, isFollowed, limits, type Path, through, throughUnknown } from './tracker-path.ts';
import {
  addAlternatives,
  addEnd,
  addText,
  addUnless,
  type Flow,
  isHarmlessCast,
  isOwnObject,
  join,
  mark,
  newFlow,
  type Trail,
  unknownValue,
  withCode,
} from './value.ts';
import { keyOf, type Source, sourcesOf } from './variable.ts';

/**
 * Traces the parts of an expression through the assignments of the enclosing functions, and through functions of the
 * same file, to request input and parameters. Code that it can't follow counts as harmless: few false alarms matter
 * more than many findings.
 */
export class FlowTracker {
  readonly #language: Language;
  readonly #input: Input;
  readonly #file: FileIndex;
  readonly #kinds: ReturnType<typeof kindSets>;
  readonly #names: Names | null;
  readonly #isOpen: boolean;
  #steps = 0;
  stepsOfFile = 0;

  /** `names` identifies functions whose contents depend on other files; without it, they count as unknown. */
  constructor(language: Language, file: FileIndex, source: string, names: Names | null = null) {
    this.#language = language;
    this.#file = file;
    this.#names = names;
    this.#isOpen = hasOpenClasses(language.name);
    this.#input = new Input(language, this.#file, source);
    this.#kinds = kindSets(language);
  }

  /** Returns the contents of `expression` at its place. */
  follow(expression: SgNode, question: Question = {}): Flow {
    const flow = newFlow();
    this.#steps = 0;
    this.#input.ask(question, spanOf(expression));
    this.#visit(expression, flow, { open: new Set(), depth: 0, call: null, isCaller: false, trail: null });
    return flow;
  }

  isCall(node: SgNode): boolean {
    return this.#language.calls[kindOf(node)] !== undefined;
  }

  #visit(node: SgNode, flow: Flow, path: Path): void {
    if (++this.#steps > limits.steps || ++this.stepsOfFile > limits.stepsOfFile || path.depth > limits.depth) return;
    const kind = kindOf(node);
    const { identifiers, literals, templates, texts, binaries, inert } = this.#kinds;
    if (this.#input.question.source && this.#input.isInput(node))
      mark(flow, 'request', { node, words: withCode('Value of', node.text()), nearer: path.trail });
    else if (literals.has(kind)) addText(flow, withoutQuotes(node.text()));
    else if (texts.has(kind)) addText(flow, node.text());
    else if (templates.has(kind)) this.#join(node.namedChildren(), flow, path);
    else if (this.#input.question.source && resultOf(node)) this.#visit(resultOf(node)!, flow, deeper(path));
    else if (inert.has(kind) || isHarmlessCast(node, kind, this.#input.question.into)) addText(flow, unknownValue);
    else if (binaries.has(kind)) this.#visitBinary(node, flow, path);
    else if (/^(?:ternary|conditional)(?:_expression)?$/.test(kind))
      addAlternatives(flow, chosenBy(node, this.#file.constants), (part) => this.#visit(part, flow, deeper(path)));
    else if (this.#choosingParts(node, path))
      this.#visitParts({ parts: this.#choosingParts(node, path)!, isText: false }, flow, path);
    else if (this.isCall(node)) this.#visitCall(node, flow, path);
    else if (this.#input.isInput(node) && !(identifiers.has(kind) && this.#file.isAssigned(node)))
      this.#input.add(node, flow, path.trail);
    else if (identifiers.has(kind)) this.#resolve(node, null, flow, path);
    else if (this.#language.members[kind] !== undefined) this.#visitPart(node, flow, path);
    else
      for (const part of partsOfValue(this.#language, this.#file.guards, this.#input.question, node))
        this.#visit(part, flow, deeper(path));
  }

  #isCommand = (path: Path) => this.#input.question.into === 'shell' && !path.isPart;

  #choosingParts(node: SgNode, path: Path): SgNode[] | null {
    return this.#isCommand(path) ? choosingParts(this.#language, node) : null;
  }

  /** `texts`: constant text before each part, and after the last one. */
  #join(parts: SgNode[], flow: Flow, path: Path, texts: string[] = []): void {
    join(flow, (inner) => {
      for (const [index, part] of parts.entries()) {
        addText(inner, texts[index] ?? '');
        this.#visit(part, inner, asPart(path));
      }
      addText(inner, texts[parts.length] ?? '');
    });
  }

  #visitParts({ parts, isText, texts = [] }: CallResult, flow: Flow, path: Path): void {
    if (isText) this.#join(parts, flow, path, texts);
    else for (const part of parts) this.#visit(part, flow, deeper(path));
    if (parts.length === 0 && texts.length === 0) addText(flow, unknownValue);
  }

  #visitBinary(node: SgNode, flow: Flow, path: Path): void {
    const operator = node.field('operator')?.text() ?? '+';
    const parts = [node.field('left'), node.field('right')].filter((part) => part !== null);
    if (joiningOperators.test(operator)) this.#join(parts, flow, path);
    // The value of `a and b` and `a or b` may be either; other operators yield a number or a boolean.
    else if (choosingOperators.test(operator)) for (const part of parts) this.#visit(part, flow, deeper(path));
  }

  #visitPart(node: SgNode, flow: Flow, path: Path): void {
    const part = partOf(this.#language, node);
    if (part && (isHarmlessPart(this.#language, part) || this.#input.isNever(node))) {
      addText(flow, unknownValue);
      return;
    }
    const key = part && part.key !== null ? keyOf(this.#file, [part.key]) : null;
    if (!part) return;
    const before = { ...flow };
    this.#visitSource({ value: part.whole, key }, flow, {
      ...deeper(path),
      isField: key !== null && isFieldAccess(node),
    });
    if (key !== null && flow.ends.length > before.ends.length && this.#input.isOwnPartChecked(node, part.whole))
      addText(Object.assign(flow, before), unknownValue);
  }

  /** Adds a value, or only its part under a key. */
  #visitSource({ value, key }: Source, flow: Flow, path: Path): void {
    if (key === null) {
      this.#visit(value, flow, { ...path, isField: false });
      return;
    }
    if (this.#kinds.identifiers.has(kindOf(value)) && !this.#input.isInput(value)) {
      this.#resolve(value, key, flow, path);
      return;
    }
    const entry = entryOf(this.#language, value, key, this.#file.constants);
    if (entry === 'none' || (entry === 'unknown' && this.#input.question.whole)) addText(flow, unknownValue);
    else if (entry === 'unknown') this.#visit(value, flow, path);
    else this.#visit(entry, flow, { ...path, isField: false });
  }

  #visitCall(node: SgNode, flow: Flow, { isField: ofField = false, ...from }: Path): void {
    const name = calleeName(this.#language, node);
    const isUndone = from.isDecoded && encoding.test(name);
    if (this.#input.isClean(name) && !isUndone) {
      addText(flow, unknownValue);
      return;
    }
    const cleans = isUndone ? [] : this.#input.encodersOf(name);
    const trail = cleans.length > 0 ? { node, words: withCode('Encoded by', name), nearer: from.trail, cleans } : null;
    const path = { ...from, isPart: true, ...(decoding.test(name) && { isDecoded: true }), ...(trail && { trail }) };
    const made = callResultOf(this.#language, this.#file, node, name, this.#input);
    if (made) {
      this.#visitParts(made, flow, path);
      return;
    }
    if (this.#input.isInput(node)) {
      this.#input.add(node, flow, path.trail);
      return;
    }
    const receiver = receiverOf(this.#language, node);
    const on = receiver && this.#file.isModule(receiver) ? null : receiver;
    const isRoute = this.#input.question.into === 'url' && /^url_for$/.test(name);
    const given = argumentsOf(node).filter(({ name: own }) => !isRoute || own === null || namesHost(own));
    const values = given.map((argument) => argument.value);
    if (on && reading.test(name) && this.#kinds.identifiers.has(kindOf(on))) {
      const key = keyOf(this.#file, values);
      const first = values.length > 1 ? keyOf(this.#file, values.slice(0, 1)) : null;
      if (key !== null || first !== null) {
        this.#resolve(on, key ?? first, flow, deeper(path));
        return;
      }
    }
    const { functions } = this.#file;
    const definition = functions.called(node, name);
    if (definition && this.#visitOwn(definition, name, values, flow, { ...from, isField: ofField })) return;
    const parts = [...(on ? [on] : []), ...values];
    if (this.#language.builders.test(name)) {
      this.#join(parts, flow, path);
      return;
    }
    const callee = this.#names?.calleeOf(node, name) ?? null;
    const isPassed = passing.test(name) || isDeriving(name);
    const isField = ofField && returnsOwnFields(this.#language.name, name, () => this.#followAll(values, path));
    if (callee) {
      // A method of an object with input, such as a form's, may return a part of it.
      const { text, before } = flow;
      if (on && !isExtensionName(callee) && (this.#isOpen || isPackaged(this.#language.name)))
        this.#visitObject(on, name, values, flow, path);
      if (this.#isOpen && flow.before === before && !combining.test(name)) flow.text = text;
      this.#visitOutside(node, name, callee, flow, { ...path, isField });
      return;
    }
    // The result of an unknown function may be unsafe, and so may the text that it adds.
    const { request: before, parameter, built, trail: beforeTrail, text, before: beforeInput } = flow;
    if (on) this.#visitObject(on, name, values, flow, path);
    // An object without input adds no text before the argument: `decoder.decode(input)`.
    if (values.length > 0 && flow.before === beforeInput && !combining.test(name)) flow.text = text;
    const onlyReceiver = flow.request;
    const inner = deeper(this.#isOpen && !isPassed && !decoding.test(name) ? throughUnknown(path, node, name) : path);
    if (!isField) for (const value of values) this.#visit(value, flow, inner);
    if (!before && !onlyReceiver && flow.request && !isPassed) flow.passed = true;
    // Too little evidence: a parameter that may hold no input, in a function that may not return it.
    if (!flow.request && !parameter && flow.parameter && !isPassed && !decoding.test(name))
      Object.assign(flow, { parameter, built, trail: beforeTrail, before: beforeInput });
    if (parts.length === 0 || isField) addText(flow, unknownValue);
  }

  #followAll(values: SgNode[], path: Path): Flow {
    const flow = newFlow();
    for (const value of values) this.#visit(value, flow, deeper(path));
    return flow;
  }

  /** Visits the results of a function of the file; returns false if too many calls are being followed. */
  #visitOwn(definition: SgNode, name: string, values: SgNode[], flow: Flow, from: Path): boolean {
    if ((from.call?.count ?? 0) >= limits.calls || isFollowed(definition, from.call)) return false;
    const call = { definition, arguments: values, outer: from.call, count: (from.call?.count ?? 0) + 1 };
    for (const result of this.#file.functions.resultsOf(definition))
      if (!this.#file.isDead(result))
        this.#visit(result, flow, { ...through(from, result, withCode('Returned by', name)), call });
    return true;
  }

  /** In Ruby, a name may be a call without arguments, or an instance variable that another method sets. */
  #visitBareName(node: SgNode, flow: Flow, path: Path): boolean {
    const name = node.text();
    if (this.#language.name !== 'ruby' || isBlockParameter(node, name)) return false;
    const definition = this.#file.functions.called(node, name);
    if (definition && this.#visitOwn(definition, name, [], flow, path)) return true;
    const callee = this.#names?.calleeOf(node, name);
    if (callee) this.#visitOutside(node, name, callee, flow, path);
    return !!callee;
  }

  /** Visits the object of a call: what another function made of input has methods that return something else. */
  #visitObject(on: SgNode, name: string, values: SgNode[], flow: Flow, path: Path): void {
    if (isOwnObject.test(on.text())) return;
    const isLookup = isPackaged(this.#language.name) && values.every((value) => constantName.test(value.text()));
    const mayReturnOther = (values.length === 0 || isLookup) && !passing.test(name) && !isDeriving(name);
    addUnless(
      flow,
      ({ passed }) => passed && mayReturnOther,
      (inner) => this.#visit(on, inner, deeper(path)),
    );
  }

  /** Visits the arguments of a function in another file: only its summary shows whether they are in its result. */
  #visitOutside(node: SgNode, name: string, callee: string, flow: Flow, { isField, ...path }: Path): void {
    const end = { node, words: withCode('Returned by', name), nearer: path.trail };
    addEnd(flow, 'result', end, { name: callee, part: '' });
    const { request: before, parameter, built, trail, text, before: beforeInput } = flow;
    for (const { part, value } of partsOfCall(this.#language, node, callee))
      this.#visit(value, flow, {
        ...through(path, value, withCode('Passed through', name)),
        trail: {
          node: value,
          words: withCode('Passed through', name),
          nearer: path.trail,
          through: { name: callee, part, ...(isField && { isField }) },
        },
      });
    if (flow.text === text) addText(flow, unknownValue);
    // Without types, fewer of the callee's names are certain: a parameter that it gets is too little evidence.
    if (this.#isOpen && !flow.request && !parameter)
      Object.assign(flow, { parameter, built, trail, before: beforeInput });
    if (!before && flow.request && !passing.test(name) && !isDeriving(name)) flow.passed = true;
  }

  /** Adds the value of a variable, or only its part under a key. */
  #resolve(node: SgNode, key: Key | null, flow: Flow, path: Path): void {
    const name = node.text();
    const place = spanOf(node);
    for (const scope of this.#file.index.around(place)) {
      const opened = `${scope.start} ${scope.end} ${name} ${key} ${place.start} ${path.call?.count ?? 0}`;
      if (path.open.has(opened)) return;
      const earlier = this.#file.index.earlierChanges(scope, name, place);
      const parameter = this.#file.parameterOf(scope, name);
      if (earlier.length === 0 && !parameter) continue;
      const before = { ...flow };
      path.open.add(opened);
      const shown = this.#isCommand(path) && key === null ? choosingChanges(this.#language, earlier) : earlier;
      const changes = shown.filter(
        (change) => this.#input.counts(change, key !== null) && !this.#file.isDead(change.node),
      );
      const { sources, isInput, isComplete } = sourcesOf(this.#language, this.#file, changes, key, place, (change) =>
        this.#input.takes(change),
      );
      if (isInput) {
        const taken = changes.findLast((change) => this.#input.takes(change));
        const text = taken ? [taken.value.text(), taken.path].filter((part) => part !== null).join('.') : name;
        mark(flow, 'request', { node: taken?.value ?? node, words: withCode('Input', text), nearer: path.trail });
      }
      const isOpen = !isComplete && parameter !== null;
      if (isOpen) this.#visitParameter(scope, parameter, key, flow, path);
      if (sources.length === 0 && !isOpen) addText(flow, unknownValue);
      const add = (into: Flow) => {
        addAlternatives(into, sources, (source) =>
          this.#visitSource(source, into, {
            ...through(path, source.value, withCode('Assigned to', name)),
            ...(key !== null && { isPart: true }),
          }),
        );
      };
      if (sources.length > 1 || isOpen) join(flow, add);
      else add(flow);
      path.open.delete(opened);
      const hasInput =
        (flow.request && !before.request) ||
        (flow.parameter && !before.parameter) ||
        flow.ends.length > before.ends.length;
      // The search for a check takes longer, so it comes last.
      if (hasInput && this.#input.isChecked(name, scope, place)) addText(Object.assign(flow, before), unknownValue);
      return;
    }
    if (!this.#visitBareName(node, flow, path)) addText(flow, unknownValue);
  }

  #visitParameter(scope: Scope, parameter: Parameter, key: Key | null, flow: Flow, path: Path): void {
    const { call } = path;
    const passed = withCode('Passed to', parameter.name);
    const here = (): Trail => ({
      node: parameter.node,
      words: withCode('Parameter', parameter.name),
      nearer: path.trail,
    });
    if (call && call.definition.id() === scope.node.id()) {
      const given = call.arguments.slice(
        parameter.position,
        takesRest(parameter.node) ? undefined : parameter.position + 1,
      );
      for (const one of given) this.#visit(one, flow, { ...through(path, one, passed), call: call.outer });
      if (given.length === 0) addText(flow, unknownValue);
      return;
    }
    const from = sourceOfCallback(this.#language, scope.node, parameter.position);
    if (from?.isPart && from.value && !(parameter.source === 'harmless' && parameter.isTyped)) {
      this.#visit(from.value, flow, deeper(path));
      return;
    }
    if (parameter.source === 'harmless' || from?.isPart) {
      addText(flow, unknownValue);
      return;
    }
    if (this.#input.question.source === undefined) {
      const isCertain = parameter.source === 'request' && !parameter.isAssumed;
      const name = isCertain ? null : (this.#names?.nameOf(scope.node) ?? null);
      const what = parameter.source === 'request' ? 'request' : 'parameter';
      if (parameter.isAssumed) flow.assumed = true;
      mark(flow, what, here(), name === null ? null : { name, part: partName(parameter, key) });
      if (what === 'request') return;
    }
    if (from?.value) {
      this.#visit(from.value, flow, deeper(path));
      return;
    }
    if (path.isCaller || path.call) return;
    for (const caller of this.#file.functions.callersOf(scope.node)) {
      const given = argumentsOf(caller)[parameter.position]?.value;
      if (given && !this.#file.isDead(caller))
        this.#visit(given, flow, { ...through(path, given, passed), isCaller: true });
    }
  }
}
