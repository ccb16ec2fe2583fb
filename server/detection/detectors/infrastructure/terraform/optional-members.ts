import { isRecord, textOf, type Value } from '../value.ts';
import { evaluateConstant } from './evaluate.ts';
import { readTemplate } from './expression.ts';
import type { Expression } from './expression-scanner.ts';
import { isUnknownText } from './functions.ts';

/**
 * Adds the members that a variable's type declares as `optional(TYPE, DEFAULT)` and that a value leaves out or sets to
 * null; without a default they are null. `type` is the text of the declaration.
 */
export function withOptionalMembers(type: string, value: Value): Value {
  if (!type.includes('optional(')) return value;
  try {
    return fill(readTemplate(type), value);
  } catch {
    // A type that can't be read makes the value unknown: its members may have other defaults.
    return '${var}';
  }
}

function fill(type: Expression, value: Value): Value {
  if (type.type !== 'call' || isUnknownText(value) || typeof value !== 'object' || value === null) return value;
  const [inner] = type.args;
  if (inner === undefined) return value;
  if (type.name === 'object' && inner.type === 'object')
    return isRecord(value) ? fillObject(inner.entries, value) : value;
  if (!/^(?:list|set|map)$/.test(type.name)) return value;
  return Array.isArray(value)
    ? value.map((item) => fill(inner, item))
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(inner, item)]));
}

function fillObject(members: Array<[Expression, Expression]>, value: Record<string, Value>): Record<string, Value> {
  const result = { ...value };
  for (const [key, type] of members) {
    const name = key.type === 'literal' ? textOf(key.value) : key.text;
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const isOptional = type.type === 'call' && type.name === 'optional';
    const inner = isOptional ? type.args[0] : type;
    const fallback = isOptional ? type.args[1] : undefined;
    if (inner === undefined) continue;
    if (given !== undefined && given !== null) result[name] = fill(inner, given);
    else if (isOptional) result[name] = fallback ? fill(inner, evaluateConstant(fallback)) : null;
  }
  return result;
}
