import { Ajv2020, type AnySchema, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import type { ErrorDetail } from '../errors.ts';
import { isFlatMarkup } from '../markup.ts';
import { isName, normalizeName } from '../name.ts';
import { formatRelativeTime, formatTime, readTime } from '../times.ts';
import { explain } from './explain.ts';

type Json = Record<string, unknown>;

function createValidator(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    verbose: true,
    strict: false,
    strictNumbers: true,
    discriminator: true,
    // Halves the time for compiling, which each route pays at its first request; checking takes as long as before.
    code: { optimize: false },
  });
  addFormats.default(ajv, ['uri', 'uuid', 'date', 'ipv4', 'ipv6', 'hostname']);
  /** Replaces a time in the input by the API's format; with `moment`, also a relative time. */
  ajv.addKeyword({
    keyword: 'x-time',
    type: 'string',
    modifying: true,
    errors: false,
    validate: (kind: true | 'moment', text: string, _parent: unknown, at?: DataValidationCxt) => {
      const time = readTime(text);
      const normal = time ? formatTime(time) : kind === 'moment' ? formatRelativeTime(text) : null;
      if (normal === null || !at) return false;
      at.parentData[at.parentDataProperty] = normal;
      return true;
    },
  });

  // Only a rough check: the code that stores addresses trims them, and reports the exact rules.
  ajv.addFormat('email', { type: 'string', validate: (text) => /^\s*[^\s@]+@[^\s@]+\s*$/.test(text) });

  // This comes before the other keywords of strings, so that they check the normal form.
  ajv.addKeyword({
    keyword: 'x-name',
    type: 'string',
    schemaType: 'boolean',
    before: 'maxLength',
    modifying: true,
    errors: false,
    validate: (
      _schema: boolean,
      text: string,
      _parent: unknown,
      at?: { parentData: Json; parentDataProperty: string | number },
    ) => {
      const name = normalizeName(text);
      if (at) at.parentData[at.parentDataProperty] = name;
      return isName(name);
    },
  });
  ajv.addKeyword({
    keyword: 'x-markup',
    type: 'string',
    schemaType: 'boolean',
    errors: false,
    validate: (_schema: boolean, text: string) => isFlatMarkup(text),
  });
  return ajv;
}

/** Stops at the first error: with all of them, 500,000 wrong items took 3.5 s. */
const quick = createValidator(false);
/** Finds all errors. */
const thorough = createValidator(true);

/**
 * Returns the errors in a value; an empty list when it is valid. Names and times in it are replaced by their normal
 * form.
 */
export type Check = (value: unknown) => ErrorDetail[];

/**
 * Returns the schema closed: objects accept only the declared fields. Drops `$id`s, since one schema can be used in
 * many places.
 */
function closed(schema: unknown, open = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => closed(item, open));
  if (typeof schema !== 'object' || schema === null) return schema;
  const result: Json = {};
  for (const [key, value] of Object.entries(schema)) {
    if (['$id', 'x-extends', 'examples', 'default'].includes(key)) continue;
    if (key === 'enum' || key === 'const') result[key] = value;
    else if (key === 'discriminator') result[key] = { propertyName: (value as Json).propertyName };
    else if (key === 'properties') {
      result[key] = Object.fromEntries(Object.entries(value as Json).map(([name, item]) => [name, closed(item)]));
    } else result[key] = closed(value, key === 'allOf');
  }
  if ('properties' in result && !('additionalProperties' in result) && !('patternProperties' in result) && !open) {
    result.additionalProperties = false;
  }
  return result;
}

/** The maximum weight of a value that is checked for all errors: 500 small values, or 16,000 characters. */
const maxWeight = 16_000;
const weightOfValue = 32;

/** Returns the rest of a weight after subtracting a value, or a negative number as soon as it is used up. */
function weigh(value: unknown, left: number): number {
  let rest = left - weightOfValue;
  if (typeof value === 'string') return rest - value.length;
  if (typeof value !== 'object' || value === null) return rest;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && rest >= 0; index += 1) rest = weigh(value[index], rest);
    return rest;
  }
  for (const key in value) {
    if (rest < 0) break;
    rest = weigh((value as Json)[key], rest - key.length);
  }
  return rest;
}

/**
 * Returns a check whose messages say what is accepted. `place` says where the value is in the request. Only the first
 * error of a large value is reported, so that a request can't cause an unlimited number of them. The schema is
 * compiled on first use: compiling all of them would add 0.7 s to every start.
 */
export function compileShape(schema: TSchema, place: ErrorDetail['in']): Check {
  let validate: ValidateFunction | undefined;
  let validateAll: ValidateFunction | undefined;
  return (value) => {
    validate ??= quick.compile(closed(schema) as AnySchema);
    if (validate(value)) return [];
    const first = validate.errors as ErrorObject[];
    if (weigh(value, maxWeight) < 0) return explain(first, place);
    validateAll ??= thorough.compile(closed(schema) as AnySchema);
    return explain(validateAll(value) ? first : (validateAll.errors as ErrorObject[]), place);
  };
}
