import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../languages/language.ts';
import type { Functions } from './functions.ts';
import { argumentsOf, calleeName, kindOf, receiverOf } from './syntax.ts';

/** Functions that call another function for each part of a container. */
const iterating =
  /(?:^|\.)(?:forEach|map|filter|each|some|every|flatMap|find|each_with_index|collect|flat_map|ForEach|Select|SelectMany|mapToObj|array_map|Array\.from)$/;
/** Functions whose result consists of the other function's results. */
const mapping = /(?:^|\.)(?:map|flatMap|collect|flat_map|Select|SelectMany|mapToObj|array_map|Array\.from)$/;
/** Functions that call another function with the result so far and each part. */
const reducing = /(?:^|\.)(?:reduce|Aggregate|inject)$/;
/** Functions that call another function with a value. */
const passingOn = /\.(?:then|ifPresent|subscribe)$/;
/** Names of modules whose functions receive the container as an argument: `_.map(values, …)`. */
const modules = /^(?:_|lodash|Array)$/;

/**
 * The argument that an anonymous function receives from its caller. `value`: the container or value; null if the
 * parameter is a position.
 */
export type CallbackSource = { value: SgNode | null; isPart: boolean };

/** Returns the source of a callback's parameter at `position`: `values.map((value, index) => …)`. */
export function sourceOfCallback(language: Language, definition: SgNode, position: number): CallbackSource | null {
  let list = definition.parent();
  if (list && kindOf(list) === 'argument') list = list.parent();
  const call = list?.parent();
  if (!call || !list || !/^argument/.test(kindOf(list)) || !language.calls[kindOf(call)]) return null;
  const name = calleeName(language, call);
  if (reducing.test(name)) return sourceOfReducer(language, call, position);
  const isPart = iterating.test(name);
  if (!isPart && !(position === 0 && passingOn.test(name))) return null;
  const receiver = receiverOf(language, call);
  if (receiver && !modules.test(receiver.text()))
    return position === 0 ? { value: receiver, isPart } : isPart && mapping.test(name) ? { value: null, isPart } : null;
  const others = argumentsOf(call).filter(({ value }) => value.id() !== definition.id());
  const value = others[position]?.value ?? null;
  return value || mapping.test(name) ? { value, isPart } : null;
}

/** `values.reduce((text, value) => text + value, 'start')`: the start, and the parts. */
function sourceOfReducer(language: Language, call: SgNode, position: number): CallbackSource | null {
  const start = argumentsOf(call).find(({ value }) => !language.functions.includes(kindOf(value)))?.value ?? null;
  if (position === 0) return { value: start, isPart: true };
  return { value: position === 1 ? receiverOf(language, call) : null, isPart: true };
}

/**
 * Returns the expressions that form a call's result, part by part: `values.map(() => '?')`. Empty if the callback makes
 * every part harmless, as in `values.map(Number)`. Null for other calls.
 */
export function resultsOfMapping(
  language: Language,
  functions: Functions,
  call: SgNode,
  name: string,
  isClean: (name: string) => boolean,
): SgNode[] | null {
  if (!mapping.test(name) && !reducing.test(name)) return null;
  const callback = functionOf(language, call);
  if (callback) return functions.resultsOf(callback);
  // `Integer::parseInt`, `&:to_i`, `'intval'`
  const given = argumentsOf(call)[/^(?:_|lodash|Array)\./.test(name) ? 1 : 0]?.value.text() ?? '';
  const called = given.replaceAll(/^&?:|^['"]|['"]$|\(\.\.\.\)$/g, '').replace('::', '.');
  return isClean(called) || isClean(`value.${called}`) ? [] : null;
}

/** Returns the anonymous function among a call's arguments; null without one. */
export const functionOf = (language: Language, call: SgNode): SgNode | null =>
  call.field('block') ??
  argumentsOf(call).find(({ value }) => language.functions.includes(kindOf(value)))?.value ??
  null;

/** Returns whether a block of Ruby around a name has it as a parameter. */
export const isBlockParameter = (node: SgNode, name: string): boolean =>
  node.ancestors().some((around) => {
    const parameters = /^(?:do_)?block$/.test(kindOf(around)) ? around.field('parameters') : null;
    return parameters !== null && new RegExp(`(?<![\\w.])${name}(?![\\w?!])`).test(parameters.text());
  });

/** Template tags whose result is the text itself. */
const textTags =
  /^(?:String\.raw|dedent|outdent|undent|trimIndent|stripIndents?|oneLine\w*|inlineLists|commaLists\w*)$/;
const rawText = /(?:^|\.)(?:raw|Raw|unsafe|literal)$/;

/**
 * Returns the parts of a tagged template that become text. Parts of `` sql`…` `` are bound or escaped, except
 * `sql.raw(…)`. Null for other calls.
 */
export function textsOfTagged(language: Language, call: SgNode, name: string): SgNode[] | null {
  const template = call.field('arguments');
  if (!template || !language.templates.includes(kindOf(template))) return null;
  const parts = template.namedChildren();
  if (textTags.test(name)) return parts;
  return parts.filter((part) => {
    const [inner] = part.namedChildren();
    return language.templateTexts.includes(kindOf(part)) || (inner && rawText.test(calleeOf(language, inner)));
  });
}

const calleeOf = (language: Language, node: SgNode) => (language.calls[kindOf(node)] ? calleeName(language, node) : '');

/** Returns the result of an anonymous function, or its body: `() => letters[index]`. */
export const resultOf = (node: SgNode): SgNode | null =>
  /lambda|^arrow_function$/.test(kindOf(node)) ? node.field('body') : null;
