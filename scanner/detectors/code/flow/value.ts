import type { SgNode } from '@ast-grep/napi';
import type { PlaceKind } from '../languages/inputs.ts';

/**
 * The contents of an expression. `text`: its constant parts in order; `before`: the parts before the first input.
 * `built`: it is text that contains input. `passed`: input went through a function with an unknown result. `trail`: the
 * path from the use to the first input.
 */
export type Flow = {
  request: boolean;
  parameter: boolean;
  built: boolean;
  passed: boolean;
  text: string;
  before: string | null;
  trail: Trail | null;
};

/** A step on the path from a use to input, with the steps closer to the use. `words` describes the step. */
export type Trail = { node: SgNode; words: string; nearer: Trail | null };

export const newFlow = (): Flow => ({
  request: false,
  parameter: false,
  built: false,
  passed: false,
  text: '',
  before: null,
  trail: null,
});

const maxShownText = 80;

/** Returns words with a piece of code, with white space folded, truncated at the end. */
export function withCode(words: string, code: string): string {
  const text = code.slice(0, 4 * maxShownText).replace(/\s+/g, ' ');
  return `${words} \`${text.length > maxShownText ? `${text.slice(0, maxShownText).toWellFormed()}…` : text}\``;
}

/** Represents in `text` a value that is neither constant nor input. */
export const unknownValue = '\ufffc';
const maxText = 4_000;

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
  flow.text = inner.text;
  flow.before = inner.before;
}

export function isHarmlessCast(node: SgNode, kind: string, into: PlaceKind | undefined): boolean {
  if (kind !== 'cast_expression') return false;
  const type = node.field('type')?.text() ?? '';
  // Text can't be a query operator.
  if (into === 'nosql' && type === 'string') return true;
  return /^(?:int|integer|long|short|byte|float|double|decimal|bool|boolean|char|Integer|Long|Guid)$/i.test(type);
}

export function mark(flow: Flow, what: 'request' | 'parameter', trail: Trail) {
  flow.before ??= flow.text;
  // Input of a request takes precedence over a parameter.
  if (flow.trail === null || (what === 'request' && !flow.request)) flow.trail = trail;
  flow[what] = true;
}

export function addText(flow: Flow, text: string) {
  if (flow.text.length < maxText) flow.text += text;
}
