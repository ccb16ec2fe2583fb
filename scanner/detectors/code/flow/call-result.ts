import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../languages/language.ts';
import { functionOf, resultsOfMapping, textsOfTagged } from './callbacks.ts';
import { membership, plainName } from './check-names.ts';
import type { FileIndex } from './file-index.ts';
import type { Input } from './input.ts';
import { argumentsOf, calleeName, kindOf, receiverOf, spanOf, withoutQuotes } from './syntax.ts';
import { unknownValue } from './value.ts';
import { keyOf } from './variable.ts';

export const constantName = /^(?:\w+\.)*[A-Z][A-Z0-9_]+$/;
export const choosingOperators = /^(?:\|\||\?\?|&&|or|and|\?:)$/;
export const joiningOperators = /^(?:\+|\.|%|<<|\/)$/;
/** Functions that return their argument in another form. */
export const passing =
  /(?:decode|encode|unquote|unescape|escape|str|String|bytes|Bytes|join|format|concat|valueOf|toString|strip|trim|quote|lower|upper|replace|substr\w*|slice|split|Base64|b64\w*|append|Join|Sprintf|rawurldecode|dict)\w*$/;
/** Methods whose result has the object before the argument. */
export const combining = /(?:concat|join|resolve|append|plus|path\w*|with\w*|of)$/i;
/** Methods that return a part of a container. */
export const reading =
  /(?:\.|^)(?:get|getOrDefault|GetValueOrDefault|getProperty|fetch|at|pop|elementAt|ElementAt|dig)$/;
/** Functions that undo encoders, and the encoders themselves. */
export const decoding =
  /(?:base64_decode|b64decode|decode64|FromBase64String|DecodeString|urldecode|rawurldecode|unquote(?:_plus)?|decodeURI(?:Component)?|unescape(?:HTML|String)?|HtmlDecode|UrlDecode|html_entity_decode|htmlspecialchars_decode|atob)$/;
export const encoding = /encode|quote|escape|specialchars|entities|btoa/i;

/**
 * The parts of a call's result: joined to a text, or alternatives; none: harmless. `texts`: the constant text before
 * each part, and after the last one.
 */
export type CallResult = { parts: SgNode[]; isText: boolean; texts?: string[] };

const harmless: CallResult = { parts: [], isText: false };

/**
 * Functions that keep the parts of a container that pass a check, and functions that keep the common parts of two
 * containers.
 */
const selecting = /(?:^|\.)(?:filter|select|find_all|keep_if|grep|Where|array_filter)$/;
const intersecting = /(?:^|\.)(?:array_intersect(?:_key)?|intersection|Intersect)$/;
const formatting = /(?:^|\.)(?:Sprintf|sprintf|vsprintf|format|Fprintf|printf|Printf|Errorf)$/;
const verbs = /%(?:%|[-+# 0,(]*(?:\d+|\*)?(?:\.(?:\d+|\*))?l*([a-zA-Z]))/g;
/** Verbs that write only numbers. */
const numeric = /^[duioxXbceEfFgGt]$/;
const normalizing = /(?:^|\.)(?:Clean|normalize|join|Join|resolve)$/;
const replacing = /(?:^|\.)(?:preg_replace|re\.sub|replaceAll|gsub|Regex\.Replace)$|\.replace$/;
/** A pattern of all characters but harmless ones. */
const others = /^r?(["'`]?)([/#~]?)\[\^(?:\\{0,2}[wds.-]|[\w. -])+\]\+?\2([a-z]*)\1$/;
const container =
  /^(?:\{|\[|new\s*\(|new\s+\w*(?:Map|Dictionary|Hash|Table|List)\b|(?:Immutable)?(?:Map|List)\.|Map\(|dict\(|array\(|Object\.freeze\()/;

/** Returns the composition of a call's result if the call itself shows it; null for other calls. */
export function callResultOf(
  language: Language,
  file: FileIndex,
  call: SgNode,
  name: string,
  input: Input,
): CallResult | null {
  const texts = textsOfTagged(language, call, name);
  if (texts) return { parts: texts, isText: true };
  const mapped = resultsOfMapping(language, file.functions, call, name, (one) => input.isClean(one));
  if (mapped) return { parts: mapped, isText: false };
  // The second argument of `new URL(path, base)` is the page's own address.
  if (name === 'URL' && argumentsOf(call).length > 1) return { parts: [argumentsOf(call)[0]!.value], isText: false };
  if (replacing.test(name) && keepsHarmless(call, name)) return harmless;
  if (intersecting.test(name) || (selecting.test(name) && selects(language, file, call))) return harmless;
  if (input.question.into === 'path' && normalizing.test(name) && isRooted(language, call)) return harmless;
  return (
    lookedUp(language, file, call, name) ??
    (input.question.source && !input.question.into ? null : formatted(call, name))
  );
}

/** Returns whether a call keeps only parts that pass a check: `columns.filter((column) => known.includes(column))`. */
function selects(language: Language, file: FileIndex, call: SgNode): boolean {
  const callback = functionOf(language, call);
  // `filter(known::contains)`
  if (!callback)
    return argumentsOf(call).some(({ value }) => membership.has(plainName(value.namedChildren().at(-1)?.text() ?? '')));
  const parameter = callback.field('parameters') ?? callback.field('parameter');
  const name = parameter && (parameter.isNamedLeaf() ? parameter : firstLeaf(parameter)).text();
  const results = file.functions.resultsOf(callback);
  return !!name && results.length > 0 && results.every((result) => file.guards.proves(name, result));
}

const firstLeaf = (node: SgNode): SgNode => {
  const [first] = node.namedChildren();
  return first ? firstLeaf(first) : node;
};

/** Returns whether a call removes all but harmless characters: `preg_replace('/[^a-z]/', '', $name)`. */
function keepsHarmless(call: SgNode, name: string): boolean {
  const given = argumentsOf(call).map(({ value }) => value.text());
  return given.some((text, index) => {
    const pattern = others.exec(text);
    if (!pattern || !/^["'`][\w -]*["'`]$/.test(given[index + 1] ?? '')) return false;
    // JavaScript's `replace` needs an expression, with a flag: else it replaces only the first.
    return !name.endsWith('.replace') || (text.startsWith('/') && pattern[3]!.includes('g'));
  });
}

/** Returns whether a path starts at the root before it is joined to another: `Join(folder, Clean("/" + name))`. */
function isRooted(language: Language, call: SgNode): boolean {
  const outer = call.parent()?.parent();
  if (!outer || !language.calls[kindOf(outer)] || !/(?:^|\.)(?:join|Join|resolve)$/.test(calleeName(language, outer)))
    return false;
  const isFirst = argumentsOf(outer)[0]?.value.id() === call.id();
  return !isFirst && /^["'`]\/["'`]\s*(?:\+|$)/.test(argumentsOf(call)[0]?.value.text() ?? '');
}

/** A look-up in a table of the file: the key is not part of the result. */
function lookedUp(language: Language, file: FileIndex, call: SgNode, name: string): CallResult | null {
  const table = reading.test(name) ? receiverOf(language, call) : null;
  const [key, ...others] = argumentsOf(call).map(({ value }) => value);
  if (!table || !key || keyOf(file, [key]) !== null || !isTable(language, file, table)) return null;
  return { parts: [table, ...others], isText: false };
}

function isTable(language: Language, file: FileIndex, node: SgNode): boolean {
  const name = node.text();
  if (/^(?:\w+\.)?[A-Z][A-Z0-9_]+$/.test(name)) return true;
  if (!language.identifiers.includes(kindOf(node))) return false;
  const isContainer = (value: SgNode) => container.test(value.text().slice(0, 80));
  return file.index
    .around(spanOf(node))
    .some((scope) =>
      file.index.changes(scope, name).some((one) => one.operation === 'assign' && isContainer(one.value)),
    );
}

/** Puts values into the places of a format, without those that it writes as numbers. */
function formatted(call: SgNode, name: string): CallResult | null {
  if (!formatting.test(name)) return null;
  const given = argumentsOf(call).map(({ value }) => value);
  const at = given.findIndex((value) => /^["'`]/.test(value.text()));
  const format = given[at];
  if (!format) return null;
  const text = withoutQuotes(format.text());
  const all = [...text.matchAll(verbs)];
  const values = given.slice(at + 1);
  const found = all.filter((match) => match[1] !== undefined);
  if (found.length === 0 || found.length !== values.length) return null;
  const parts: SgNode[] = [];
  const texts = [''];
  let from = 0;
  const add = (more: string) => texts.push(texts.pop() + more);
  for (const { 0: verb, 1: letter, index } of all) {
    add(text.slice(from, index));
    from = index + verb.length;
    if (letter === undefined) add('%');
    else {
      const value = values.shift()!;
      if (numeric.test(letter)) add(unknownValue);
      else {
        parts.push(value);
        texts.push('');
      }
    }
  }
  add(text.slice(from));
  return { parts, isText: true, texts };
}
