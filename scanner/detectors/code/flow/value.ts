import type { SgNode } from '@ast-grep/napi';
import type { PlaceKind } from '../languages/inputs.ts';

/**
 * The contents of an expression. `text`: its constant parts in order; `before`: the parts before the first input.
 * `built`: it is text that contains input. `assumed`: only its form says that a function is called with input.
 * `passed`: input went through a function with an unknown result. `trail`: the path from the use to the first input.
 */
export type Flow = {
  request: boolean;
  parameter: boolean;
  built: boolean;
  assumed: boolean;
  passed: boolean;
  text: string;
  before: string | null;
  trail: Trail | null;
  ends: readonly End[];
};

/**
 * A step on the path from a use to input, with the steps closer to the use. `words` describes the step. `through`: the
 * function, possibly of another file, and its parameter that the value went through. `cleans`: the kinds of sinks for
 * which the step makes it harmless.
 */
export type Trail = {
  node: SgNode;
  words: string;
  nearer: Trail | null;
  through?: Place;
  cleans?: readonly PlaceKind[];
};

/**
 * A function by its name in the file, and its parameter by position, followed by the name of a part: `0.host`.
 * `isField`: only a field of its result is used.
 */
export type Place = { name: string; part: string; isField?: boolean };

/**
 * One of the origins of a value: input of a request, a parameter, or the result of a function whose contents depend on
 * other files. `before`: the constant text before it.
 */
export type End = { from: 'request' | 'parameter' | 'result'; place: Place | null; before: string; trail: Trail };

export const newFlow = (): Flow => ({
  request: false,
  parameter: false,
  built: false,
  assumed: false,
  passed: false,
  text: '',
  before: null,
  trail: null,
  ends: [],
});

const maxShownText = 80;
const maxText = 4_000;

/** Returns words with a piece of code, with white space folded, truncated at the end. */
export function withCode(words: string, code: string): string {
  const text = code.slice(0, 4 * maxShownText).replace(/\s+/g, ' ');
  return `${words} \`${text.length > maxShownText ? `${text.slice(0, maxShownText).toWellFormed()}…` : text}\``;
}

/** Represents in `text` a value that is neither constant nor input. */
export const unknownValue = '\ufffc';

/** Adds joined parts, for each of which `add` is called. Text that contains input is `built`. */
export function join(flow: Flow, add: (inner: Flow) => void): void {
  const inner: Flow = { ...flow, request: false, parameter: false, built: false, trail: null };
  add(inner);
  const hasInput = inner.request || inner.parameter;
  if (flow.trail === null || (inner.request && !flow.request)) flow.trail = inner.trail;
  flow.built ||= inner.built || hasInput;
  flow.request ||= inner.request;
  flow.parameter ||= inner.parameter;
  flow.passed = inner.passed;
  flow.assumed = inner.assumed;
  flow.text = inner.text;
  flow.before = inner.before;
  flow.ends = inner.ends;
}

/** Adds the parts that `add` adds to a flow of its own, unless that flow is unwanted. */
export function addUnless(flow: Flow, isUnwanted: (inner: Flow) => boolean, add: (inner: Flow) => void): void {
  const inner: Flow = { ...flow, request: false, parameter: false, built: false, passed: false, trail: null };
  add(inner);
  if (isUnwanted(inner)) return;
  if (flow.trail === null || (inner.request && !flow.request)) flow.trail = inner.trail;
  flow.built ||= inner.built;
  flow.passed ||= !flow.request && inner.passed;
  flow.request ||= inner.request;
  flow.parameter ||= inner.parameter;
  const { assumed, text, before, ends } = inner;
  Object.assign(flow, { assumed, text, before, ends });
}

/** Adds values of which only one is used: the text of one does not come before the input in another. */
export function addAlternatives<Value>(flow: Flow, values: readonly Value[], add: (value: Value) => void): void {
  const { text } = flow;
  let all = text;
  for (const value of values) {
    flow.text = text;
    add(value);
    all += flow.text.slice(text.length);
  }
  flow.text = all.slice(0, maxText);
}

export function isHarmlessCast(node: SgNode, kind: string, into: PlaceKind | undefined): boolean {
  if (kind !== 'cast_expression') return false;
  const type = node.field('type')?.text() ?? '';
  // Text can't be a query operator.
  if (into === 'nosql' && type === 'string') return true;
  return /^(?:int|integer|long|short|byte|float|double|decimal|bool|boolean|char|Integer|Long|Guid)$/i.test(type);
}

const maxEnds = 12;

export function addEnd(flow: Flow, from: End['from'], trail: Trail, place: Place | null): void {
  if (flow.ends.length < maxEnds) flow.ends = [...flow.ends, { from, place, before: flow.text, trail }];
}

export function mark(flow: Flow, what: 'request' | 'parameter', trail: Trail, place: Place | null = null) {
  if (what === 'request' || place) addEnd(flow, what, trail, place);
  flow.before ??= flow.text;
  // Input of a request takes precedence over a parameter.
  if (flow.trail === null || (what === 'request' && !flow.request)) flow.trail = trail;
  flow[what] = true;
}

export function addText(flow: Flow, text: string) {
  if (flow.text.length < maxText) flow.text += text;
}

/** The object whose methods may be in other files: their results are not the contents of the object. */
export const isOwnObject = /^(?:\$?this|self|super\(\)|super|parent|@\w+)$/;
