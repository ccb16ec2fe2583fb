import { stringify } from 'yaml';
import { isRecord, listOf, type Value } from '../value.ts';

/** A value that is known only to Helm or a cluster. */
export const unknown = Symbol('unknown');
export class UnknownPart extends Error {}

const maxLength = 500_000;

export const isTruthy = (value: Value): boolean =>
  !(
    value === undefined ||
    value === null ||
    value === false ||
    value === 0 ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (isRecord(value) && Object.keys(value).length === 0)
  );

export function printed(value: Value): string {
  if (value === undefined || value === null) return '';
  if (value === unknown) return '${unknown}';
  if (typeof value === 'object') throw new UnknownPart();
  return String(value);
}

const text = printed;
const number = (value: Value) => Math.trunc(Number(value)) || 0;
const indented = (count: Value, value: Value) =>
  text(value)
    .split('\n')
    .map((line) => ' '.repeat(Math.min(number(count), 60)) + line)
    .join('\n');

function toYaml(value: Value): string {
  if (value === undefined || value === null) return 'null';
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 }).trimEnd();
}

function equal(first: Value, second: Value): boolean {
  return typeof first === typeof second ? first === second : text(first) === text(second);
}

function format(pattern: Value, ...values: Value[]): string {
  let next = 0;
  return text(pattern).replace(/%(.)/g, (_all, verb: string) => {
    if (verb === '%') return '%';
    const value = values[next++];
    if (verb === 'q') return JSON.stringify(text(value));
    if (verb === 's' || verb === 'd' || verb === 'v') return text(value);
    throw new UnknownPart();
  });
}

const kindOf = (value: Value): string =>
  Array.isArray(value)
    ? 'slice'
    : isRecord(value)
      ? 'map'
      : typeof value === 'string'
        ? 'string'
        : typeof value === 'boolean'
          ? 'bool'
          : typeof value === 'number'
            ? Number.isInteger(value)
              ? 'int'
              : 'float64'
            : 'invalid';

function at(value: Value, ...keys: Value[]): Value {
  return keys.reduce((here: Value, key) => {
    if (Array.isArray(here)) return here[number(key)];
    return isRecord(here) && Object.hasOwn(here, text(key)) ? here[text(key)] : undefined;
  }, value);
}

const same = (value: Value) => value;

/** The functions of Go’s templates, Sprig and Helm that depend only on their arguments. */
export const functions: Record<string, (...args: Value[]) => Value> = {
  default: (otherwise, value) => (isTruthy(value) ? value : otherwise),
  quote: (value) => JSON.stringify(text(value)),
  squote: (value) => `'${text(value)}'`,
  toYaml,
  toJson: (value) => JSON.stringify(value ?? null),
  toString: text,
  indent: indented,
  nindent: (count, value) => `\n${indented(count, value)}`,
  trunc: (count, value) => (number(count) < 0 ? text(value).slice(number(count)) : text(value).slice(0, number(count))),
  trim: (value) => text(value).trim(),
  trimSuffix: (suffix, value) =>
    text(value).endsWith(text(suffix)) ? text(value).slice(0, -text(suffix).length || undefined) : value,
  trimPrefix: (prefix, value) =>
    text(value).startsWith(text(prefix)) ? text(value).slice(text(prefix).length) : value,
  trimAll: (signs, value) => text(value).split(text(signs)).join(''),
  replace: (from, to, value) => {
    if (text(value).length * (text(to).length + 1) > maxLength) throw new UnknownPart();
    return text(value).replaceAll(text(from), text(to));
  },
  upper: (value) => text(value).toUpperCase(),
  lower: (value) => text(value).toLowerCase(),
  printf: format,
  print: (...values) => values.map(text).join(''),
  eq: (first, ...others) => others.some((other) => equal(first, other)),
  ne: (first, second) => !equal(first, second),
  lt: (first, second) => Number(first) < Number(second),
  le: (first, second) => Number(first) <= Number(second),
  gt: (first, second) => Number(first) > Number(second),
  ge: (first, second) => Number(first) >= Number(second),
  not: (value) => !isTruthy(value),
  and: (...values) => values.find((value) => !isTruthy(value)) ?? values.at(-1),
  or: (...values) => values.find(isTruthy) ?? values.at(-1),
  empty: (value) => !isTruthy(value),
  coalesce: (...values) => values.find(isTruthy),
  ternary: (yes, no, test) => (isTruthy(test) ? yes : no),
  hasKey: (map, key) => isRecord(map) && Object.hasOwn(map, text(key)),
  get: (map, key) => at(map, key) ?? '',
  index: at,
  dig: (...args) => at(args.at(-1), ...args.slice(0, -2)) ?? args.at(-2),
  list: (...values) => values,
  dict: (...values) =>
    Object.fromEntries(
      values.flatMap((key, position) => (position % 2 === 0 ? [[text(key), values[position + 1]]] : [])),
    ),
  merge: (...maps) => Object.assign({}, ...maps.toReversed().filter(isRecord)),
  mergeOverwrite: (...maps) => Object.assign({}, ...maps.filter(isRecord)),
  omit: (map, ...keys) =>
    isRecord(map) ? Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key))) : {},
  pick: (map, ...keys) =>
    isRecord(map) ? Object.fromEntries(Object.entries(map).filter(([key]) => keys.includes(key))) : {},
  keys: (map) => (isRecord(map) ? Object.keys(map).sort() : []),
  first: (list) => listOf(list)[0],
  last: (list) => listOf(list).at(-1),
  has: (value, list) => listOf(list).some((item) => equal(item, value)),
  join: (separator, list) => listOf(list).map(text).join(text(separator)),
  len: (value) =>
    typeof value === 'string' ? value.length : isRecord(value) ? Object.keys(value).length : listOf(value).length,
  contains: (part, value) => text(value).includes(text(part)),
  hasPrefix: (prefix, value) => text(value).startsWith(text(prefix)),
  hasSuffix: (suffix, value) => text(value).endsWith(text(suffix)),
  kindIs: (kind, value) => kindOf(value) === kind,
  kindOf,
  int: number,
  int64: number,
  add: (...values) => values.map(number).reduce((sum, value) => sum + value, 0),
  sub: (first, second) => number(first) - number(second),
  mul: (...values) => values.map(number).reduce((product, value) => product * value, 1),
  required: (_message, value) => value ?? unknown,
  b64enc: (value) => Buffer.from(text(value)).toString('base64'),
  deepCopy: same,
  tpl: (value) => {
    if (text(value).includes('{{')) throw new UnknownPart();
    return value;
  },
};

/** Functions that accept unknown values in their arguments. */
export const lenientFunctions = new Set(['quote', 'squote', 'toString', 'default', 'print', 'printf', 'list', 'dict']);
