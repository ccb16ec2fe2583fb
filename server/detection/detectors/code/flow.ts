import type { SgNode } from '@ast-grep/napi';
import { Guards } from './guards.ts';
import type { Language } from './languages/language.ts';
import { type AssignedValue, isParameterOf, ScopeIndex, type Span, spanOf } from './scope.ts';

/** The contents of an expression. `text`: its constant parts in order; `before`: those before the first input. */
export type Flow = { request: boolean; parameter: boolean; built: boolean; text: string; before: string | null };

/** Represents in `text` a value that is neither constant nor input. */
const unknownValue = '\ufffc';
const maxSteps = 4_000;
const maxDepth = 40;
const maxText = 4_000;
const maxCheckedText = 80;

/**
 * Traces the parts of an expression through the assignments of the enclosing functions to request input and parameters.
 * Stays within one file and function. Anything it can't see counts as harmless: few false alarms matter more than many
 * findings.
 */
export class FlowTracker {
  readonly #language: Language;
  readonly #source: string;
  readonly #kinds: Record<'identifiers' | 'literals' | 'templates' | 'texts' | 'binaries' | 'inert', Set<string>>;
  readonly #root: SgNode;
  #index: ScopeIndex | null = null;
  #guards: Guards | null = null;
  /** The expression that is being followed, where it is used. */
  #use: Span = { start: 0, end: 0 };
  #steps = 0;

  constructor(language: Language, root: SgNode, source: string) {
    this.#language = language;
    this.#root = root;
    this.#source = source;
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
  follow(expression: SgNode): Flow {
    const flow: Flow = { request: false, parameter: false, built: false, text: '', before: null };
    this.#steps = 0;
    this.#use = spanOf(expression);
    this.#visit(expression, flow, new Set(), 0);
    return flow;
  }

  #visit(node: SgNode, flow: Flow, open: Set<string>, depth: number): void {
    if (++this.#steps > maxSteps || depth > maxDepth) return;
    const kind = String(node.kind());
    const { identifiers, literals, templates, texts, binaries, inert } = this.#kinds;
    if (literals.has(kind)) addText(flow, withoutQuotes(node.text()));
    else if (texts.has(kind)) addText(flow, node.text());
    else if (templates.has(kind)) this.#join(node.namedChildren(), flow, open, depth);
    else if (inert.has(kind) || isHarmlessCast(node, kind)) addText(flow, unknownValue);
    else if (this.#isRequestInput(node)) this.#addRequestInput(node, flow);
    else if (identifiers.has(kind)) this.#resolve(node, flow, open, depth);
    else if (binaries.has(kind)) this.#visitBinary(node, flow, open, depth);
    else if (this.#language.calls[kind]) this.#visitCall(node, flow, open, depth);
    else for (const part of this.#partsOf(node, kind)) this.#visit(part, flow, open, depth + 1);
  }

  /**
   * Adds the sources of an expression's value: the whole for a part, both sides of a choice, otherwise everything in
   * it.
   */
  #partsOf(node: SgNode, kind: string): SgNode[] {
    const whole = this.#language.members[kind];
    const fields = whole ? [whole] : this.#language.conditionals[kind];
    if (fields) return fields.map((field) => node.field(field)).filter((part) => part !== null);
    return whole === undefined ? node.namedChildren() : node.namedChildren().slice(0, 1);
  }

  /** Adds concatenated parts: a string that contains input is built. */
  #join(parts: SgNode[], flow: Flow, open: Set<string>, depth: number): void {
    const inner: Flow = { ...flow, request: false, parameter: false, built: false };
    for (const part of parts) this.#visit(part, inner, open, depth + 1);
    const hasInput = inner.request || inner.parameter;
    flow.built ||= inner.built || hasInput;
    flow.request ||= inner.request;
    flow.parameter ||= inner.parameter;
    flow.text = inner.text;
    flow.before = inner.before;
  }

  #visitBinary(node: SgNode, flow: Flow, open: Set<string>, depth: number): void {
    const operator = node.field('operator')?.text() ?? '+';
    const parts = [node.field('left'), node.field('right')].filter((part) => part !== null);
    if (['+', '.', '%', '<<'].includes(operator)) {
      this.#join(parts, flow, open, depth);
      return;
    }
    // The value of `a and b` and `a or b` may be either; other operators yield a number or a boolean.
    if (['||', '??', '&&', 'or', 'and', '?:'].includes(operator)) {
      for (const part of parts) this.#visit(part, flow, open, depth + 1);
    }
  }

  #visitCall(node: SgNode, flow: Flow, open: Set<string>, depth: number): void {
    const { sanitizers, builders } = this.#language;
    const name = calleeName(this.#language, node);
    if (sanitizers.test(name)) {
      addText(flow, unknownValue);
      return;
    }
    const receiver = this.#language.calls[String(node.kind())]?.receiver;
    let on = receiver ? node.field(receiver) : null;
    // The field holds `object.method`: the receiver is the object.
    if (on && receiver === 'function') on = this.#language.members[String(on.kind())] !== undefined ? on : null;
    const parts = [...(on ? [on] : []), ...argumentsOf(node).map((argument) => argument.value)];
    if (builders.test(name)) {
      this.#join(parts, flow, open, depth);
      return;
    }
    // The result of another function is not known to be safe, nor is the text that it adds.
    for (const part of parts) this.#visit(part, flow, open, depth + 1);
    if (parts.length === 0) addText(flow, unknownValue);
  }

  #isRequestInput(node: SgNode): boolean {
    const { start, end } = node.range();
    const text = this.#source.slice(start.index, Math.min(end.index, start.index + 200));
    return this.#language.request.test(text) && !/^[\w.]+\s*=[^=]/.test(text);
  }

  /** The same expression may have been checked: `if (!list.includes(req.query.p)) return`. */
  #addRequestInput(node: SgNode, flow: Flow): void {
    const text = node.text();
    const place = spanOf(node);
    this.#index ??= new ScopeIndex(this.#language, this.#root);
    const [scope] = this.#index.around(place);
    if (text.length <= maxCheckedText && scope && this.#isChecked(text, scope, place)) addText(flow, unknownValue);
    else mark(flow, 'request');
  }

  #isChecked(name: string, scope: Span, place: Span): boolean {
    this.#guards ??= new Guards(this.#language, this.#root, this.#source);
    if (this.#guards.isChecked(name, scope, place)) return true;
    const isUsedWithin = scope.start <= this.#use.start && this.#use.end <= scope.end;
    return place.start !== this.#use.start && isUsedWithin && this.#guards.isChecked(name, scope, this.#use);
  }

  /** Returns whether a pattern takes a part out of a request that is input: `const { query } = req`. */
  #takesRequestInput({ value, path }: AssignedValue): boolean {
    return path !== null && this.#language.request.test(`${value.text().slice(0, maxCheckedText)}.${path}`);
  }

  #resolve(node: SgNode, flow: Flow, open: Set<string>, depth: number): void {
    const name = node.text();
    const place = spanOf(node);
    const { start } = place;
    this.#index ??= new ScopeIndex(this.#language, this.#root);
    for (const scope of this.#index.around(place)) {
      const key = `${scope.start} ${scope.end} ${name} ${start}`;
      if (open.has(key)) return;
      const assignments = this.#index.assignments(scope, name).filter((assignment) => assignment.end <= start);
      const isParameter = isParameterOf(this.#language, scope.node, name);
      if (assignments.length === 0 && !isParameter) continue;
      if (this.#isChecked(name, scope, place)) {
        addText(flow, unknownValue);
        return;
      }
      open.add(key);
      let reachesStart = true;
      const sources: SgNode[] = [];
      for (const assignment of assignments.reverse()) {
        if (this.#takesRequestInput(assignment)) mark(flow, 'request');
        else sources.unshift(assignment.value);
        if (!assignment.always(place)) continue;
        reachesStart = false;
        break;
      }
      if (reachesStart && isParameter) this.#visitParameter(isParameter, flow);
      if (sources.length > 1 || (reachesStart && isParameter)) this.#join(sources, flow, open, depth);
      else for (const source of sources) this.#visit(source, flow, open, depth + 1);
      open.delete(key);
      return;
    }
    addText(flow, unknownValue);
  }

  #visitParameter(kind: 'request' | 'text' | 'harmless', flow: Flow): void {
    if (kind === 'request') mark(flow, 'request');
    else if (kind === 'text') mark(flow, 'parameter');
    else addText(flow, unknownValue);
  }

  isCall(node: SgNode): boolean {
    return this.#language.calls[String(node.kind())] !== undefined;
  }
}

const isHarmlessCast = (node: SgNode, kind: string) =>
  kind === 'cast_expression' &&
  /^(?:int|integer|long|short|byte|float|double|decimal|bool|boolean|char|Integer|Long|Guid)$/i.test(
    node.field('type')?.text() ?? '',
  );

const withoutQuotes = (literal: string) => literal.replace(/^[a-zA-Z@]*["'`]+|["'`]+$/g, '');

function mark(flow: Flow, what: 'request' | 'parameter') {
  flow.before ??= flow.text;
  flow[what] = true;
}

function addText(flow: Flow, text: string) {
  if (flow.text.length < maxText) flow.text += text;
}

/** Returns the name of the called function as written: `this.db.query`. */
function calleeName(language: Language, call: SgNode): string {
  const fields = language.calls[String(call.kind())]?.name ?? [];
  const parts = fields.map((field) => call.field(field)?.text()).filter((part) => part !== undefined);
  if (parts.length > 0) return parts.join('.').replace(/<[^<>]*>$/, '');
  return call.namedChildren()[0]?.text() ?? '';
}

/** Returns the arguments of a call in order, with their names if any. */
export function argumentsOf(call: SgNode): Array<{ name: string | null; value: SgNode }> {
  const list =
    call.field('arguments') ?? call.children().find((child) => /^argument(?:s|_list)$/.test(String(child.kind())));
  // A comprehension may be the only argument, without its own brackets.
  if (list && String(list.kind()) === 'generator_expression') return [{ name: null, value: list }];
  const values = list ? list.namedChildren().filter((child) => !String(child.kind()).includes('comment')) : [];
  return values.flatMap((value) => {
    const kind = String(value.kind());
    if (kind === 'keyword_argument') return [{ name: value.field('name')!.text(), value: value.field('value')! }];
    if (kind === 'pair')
      return [{ name: value.field('key')!.text().replace(/:$/, ''), value: value.field('value') ?? value }];
    if (kind !== 'argument') return [{ name: null, value }];
    const inner = value.namedChildren().at(-1);
    return inner ? [{ name: value.field('name')?.text() ?? null, value: inner }] : [];
  });
}
