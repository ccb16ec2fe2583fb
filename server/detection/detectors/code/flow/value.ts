import type { SgNode } from '@ast-grep/napi';
import type { PlaceKind } from '../languages/inputs.ts';

/**
 * The contents of an expression. `text`: its constant parts in order; `before`: those before the first input. `built`:
 * it is text that contains input. `passed`: input went through a function whose result is not known.
 */
export type Flow = {
  request: boolean;
  parameter: boolean;
  built: boolean;
  passed: boolean;
  text: string;
  before: string | null;
};

export const newFlow = (): Flow => ({
  request: false,
  parameter: false,
  built: false,
  passed: false,
  text: '',
  before: null,
});

/** Represents in `text` a value that is neither constant nor input. */
export const unknownValue = '\ufffc';
const maxText = 4_000;

/** Adds joined parts, which `add` visits: text that contains input is built. */
export function join(flow: Flow, add: (inner: Flow) => void): void {
  const inner: Flow = { ...flow, request: false, parameter: false, built: false };
  add(inner);
  const hasInput = inner.request || inner.parameter;
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
  // A text is not an operator of a query.
  if (into === 'nosql' && type === 'string') return true;
  return /^(?:int|integer|long|short|byte|float|double|decimal|bool|boolean|char|Integer|Long|Guid)$/i.test(type);
}

export function mark(flow: Flow, what: 'request' | 'parameter') {
  flow.before ??= flow.text;
  flow[what] = true;
}

export function addText(flow: Flow, text: string) {
  if (flow.text.length < maxText) flow.text += text;
}
