import { isRecord, listOf, textOf, type Value } from '../value.ts';

/** Thrown for values that Terraform would refuse: `try` and `can` catch it. */
export class EvaluationError extends Error {}

const maxLength = 1_000_000;

/** Returns whether a value, or a part of a text, is known only when Terraform runs. */
export const isUnknownText = (value: Value): boolean => typeof value === 'string' && value.includes('${');

const listFrom = (value: Value): Value[] => {
  if (Array.isArray(value)) return value;
  throw new EvaluationError('not a list');
};
const recordFrom = (value: Value): Record<string, Value> => {
  if (isRecord(value)) return value;
  throw new EvaluationError('not a map');
};
const known = (values: Value[]): Value[] => {
  if (values.some(isUnknownText)) throw new UnknownValue();
  return values;
};
const distinct = (values: Value[]) => [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];

/** Thrown when a result depends on an unknown value. */
export class UnknownValue extends Error {}

type Implementation = (...args: Value[]) => Value;

/** Functions that accept unknown values inside lists and maps, or as texts in their result. */
export const partialFunctions: Record<string, Implementation> = {
  jsonencode: (value) => JSON.stringify(value),
  tolist: listFrom,
  toset: (value) => distinct(listFrom(value)),
  tomap: recordFrom,
  tostring: (value) => (value === null ? null : textOf(value)),
  sensitive: (value) => value,
  nonsensitive: (value) => value,
  concat: (...lists) => lists.flatMap(listFrom),
  merge: (...maps) => Object.assign({}, ...maps.filter((map) => map !== null).map(recordFrom)),
  flatten: (value) => listFrom(value).flat(8),
  one: (value) => listFrom(value)[0] ?? null,
  element: (value, index) => {
    const list = listFrom(value);
    if (list.length === 0) throw new EvaluationError('an empty list');
    return list[Number(index) % list.length] ?? null;
  },
  values: (value) => Object.values(recordFrom(value)),
  keys: (value) => Object.keys(recordFrom(value)).sort(),
  length: (value) =>
    isRecord(value) ? Object.keys(value).length : typeof value === 'string' ? value.length : listFrom(value).length,
  lookup: (map, key, otherwise) => {
    const record = recordFrom(map);
    if (Object.hasOwn(record, textOf(key))) return record[textOf(key)];
    if (otherwise === undefined) throw new EvaluationError('no such key');
    return otherwise;
  },
};

/** Functions whose result depends on all of their values. */
export const fullFunctions: Record<string, Implementation> = {
  coalesce: (...values) => values.find((value) => value !== null && value !== '') ?? null,
  coalescelist: (...lists) => lists.find((list) => listOf(list).length > 0) ?? null,
  compact: (value) => known(listFrom(value)).filter((item) => item !== null && item !== ''),
  distinct: (value) => distinct(known(listFrom(value))),
  setunion: (...lists) => distinct(known(lists.flatMap(listFrom))),
  contains: (list, value) => known(listFrom(list)).some((item) => textOf(item) === textOf(value)),
  join: (separator, ...lists) => {
    const items = known(lists.flatMap(listFrom));
    boundedProduct(items.length, textOf(separator).length);
    return items.map(textOf).join(textOf(separator));
  },
  split: (separator, value) => textOf(value).split(textOf(separator)),
  lower: (value) => textOf(value).toLowerCase(),
  upper: (value) => textOf(value).toUpperCase(),
  trimspace: (value) => textOf(value).trim(),
  tonumber: (value) => (value === null ? null : Number(textOf(value))),
  tobool: (value) => (value === null ? null : textOf(value) === 'true'),
  replace: (value, from, to) => {
    if (/^\/.*\/$/s.test(textOf(from))) throw new UnknownValue();
    boundedProduct(textOf(value).length + 1, textOf(to).length);
    return textOf(value).replaceAll(textOf(from), textOf(to));
  },
  format: (pattern, ...values) => {
    let next = 0;
    return textOf(pattern).replace(/%(.)/g, (_all, verb: string) => {
      if (verb === '%') return '%';
      if (verb !== 's' && verb !== 'd' && verb !== 'v') throw new UnknownValue();
      return textOf(values[next++]);
    });
  },
  startswith: (value, start) => textOf(value).startsWith(textOf(start)),
  endswith: (value, end) => textOf(value).endsWith(textOf(end)),
  jsondecode: (value) => JSON.parse(textOf(value)),
  max: (...values) => Math.max(...values.map(Number)),
  min: (...values) => Math.min(...values.map(Number)),
};

const sizes = new WeakMap<object, number>();

/** Returns the approximate number of characters of a value when it is written out. Shared lists count each time. */
function sizeOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 4;
  const counted = sizes.get(value);
  if (counted !== undefined) return counted;
  const size = Object.entries(value).reduce((sum, [key, item]) => sum + key.length + sizeOf(item), 2);
  sizes.set(value, size);
  return size;
}

/** Limits the size to which repeated expressions can expand a small file. */
export function boundedResult(value: Value): Value {
  if (sizeOf(value) > maxLength) throw new UnknownValue();
  return value;
}

const boundedProduct = (count: number, length: number) => {
  if (count * length > maxLength) throw new UnknownValue();
};
