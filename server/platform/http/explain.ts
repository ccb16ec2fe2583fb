import type { ErrorObject } from 'ajv';
import type { ErrorDetail } from '../errors.ts';
import { markupExpectation } from '../markup.ts';

type Json = Record<string, unknown>;

const formats: Record<string, string> = {
  date: 'a date of the form YYYY-MM-DD',
  email: 'an email address',
  uri: 'a URL',
  hostname: 'a host name',
};

const types: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

const counted = (count: unknown, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const listed = (values: unknown[]) => {
  const names = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return names.length === 1 ? `${names[0]}` : `one of ${names.join(', ')}`;
};

const range = (schema: Json, fallback: string) =>
  schema.minimum !== undefined && schema.maximum !== undefined
    ? `must be between ${schema.minimum} and ${schema.maximum}`
    : fallback;

const lengths = (noun: string, min: unknown, max: unknown) => {
  if (min === undefined || min === 0) return `must have at most ${counted(max, noun)}`;
  if (max === undefined) return min === 1 ? 'must not be empty' : `must have at least ${counted(min, noun)}`;
  return min === max ? `must have exactly ${counted(max, noun)}` : `must have ${min} to ${counted(max, noun)}`;
};

type Sentence = (params: Json, schema: Json, place: ErrorDetail['in']) => string;

/** The message for each keyword of JSON Schema. A schema can override it with its own `errorMessage`. */
const sentences: Record<string, Sentence> = {
  required: () => 'is required',
  additionalProperties: (_, schema, place) => {
    const known = Object.keys((schema.properties ?? {}) as Json);
    const what = place === 'query' ? 'is not a parameter of this endpoint' : 'is not a known field';
    return known.length === 0 ? `${what}: there are none` : `${what}: known are ${known.join(', ')}`;
  },
  type: (params) =>
    `must be ${[params.type]
      .flat()
      .map((type) => types[String(type)] ?? type)
      .join(' or ')}`,
  enum: (params) => `must be ${listed(params.allowedValues as unknown[])}`,
  discriminator: ({ tag, tagValue }, { oneOf }) => {
    const kinds = (oneOf as { properties: Record<string, Json> }[]).map(({ properties }) => properties[String(tag)]);
    const known = `must be ${listed(kinds.flatMap((kind) => constantsOf(kind ?? {}) ?? []))}`;
    return tagValue === undefined ? `is required: ${known}` : known;
  },
  const: (params) => `must be ${listed([params.allowedValue])}`,
  format: (params) => `must be ${formats[String(params.format)] ?? `a valid ${params.format}`}`,
  pattern: (_, schema) =>
    typeof schema.description === 'string' ? `is not valid: ${schema.description}` : `must match ${schema.pattern}`,
  minimum: (params, schema) => range(schema, `must be at least ${params.limit}`),
  maximum: (params, schema) => range(schema, `must be at most ${params.limit}`),
  exclusiveMinimum: (params) => `must be more than ${params.limit}`,
  exclusiveMaximum: (params) => `must be less than ${params.limit}`,
  multipleOf: (params) => `must be a multiple of ${params.multipleOf}`,
  minLength: (_, schema) => lengths('character', schema.minLength, schema.maxLength),
  maxLength: (_, schema) => lengths('character', schema.minLength, schema.maxLength),
  minItems: (_, schema) => lengths('item', schema.minItems, schema.maxItems),
  maxItems: (_, schema) => lengths('item', schema.minItems, schema.maxItems),
  uniqueItems: () => 'must not contain the same item twice',
  minProperties: (_, schema) => {
    const known = Object.keys((schema.properties ?? {}) as Json);
    return known.length === 0 ? 'must not be empty' : `must have at least one of ${known.join(', ')}`;
  },
  'x-markup': () => markupExpectation,
  maxProperties: (params) => `must have at most ${counted(params.limit, 'field')}`,
};

/** Formats a path such as `/items/3/name` as `items[3].name`. */
function fieldOf(error: ErrorObject): string {
  const extra = error.params.missingProperty ?? error.params.additionalProperty;
  const parts = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (typeof extra === 'string') parts.push(extra);
  if (error.keyword === 'discriminator') parts.push(String(error.params.tag));
  const path = parts.map((part, index) => (/^\d+$/.test(part) && index > 0 ? `[${part}]` : `.${part}`)).join('');
  return path.replace(/^\./, '').slice(0, 200).toWellFormed();
}

/** Returns the fixed values that a schema accepts; null when it accepts others too. */
const constantsOf = (schema: Json): unknown[] | null =>
  'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : null;

/** Returns the names of the fields that an object schema requires. */
const requiredOf = (schema: Json): string[] => (Array.isArray(schema.required) ? schema.required : []);

/**
 * Explains a `oneOf` of objects with different required fields: by the errors of the variant whose fields are
 * present, or by listing the fields to send.
 */
function explainObjects(error: ErrorObject, inner: ErrorObject[], place: ErrorDetail['in']): ErrorDetail[] | null {
  const branches = error.schema as Json[];
  const { data } = error;
  if (!branches.every((branch) => requiredOf(branch).length > 0)) return null;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return null;
  const given = branches.flatMap((branch, index) =>
    requiredOf(branch).every((field) => Object.hasOwn(data, field)) ? [index] : [],
  );
  const [only] = given;
  if (given.length === 1) {
    return explain(
      inner.filter((item) => item.schemaPath.startsWith(`${error.schemaPath}/${only}/`)),
      place,
    );
  }
  const fields = [...new Set(branches.flatMap(requiredOf))];
  const message = `give either ${fields.map((field) => `\`${field}\``).join(' or ')}`;
  return [{ in: place, field: fields[0]!, message }];
}

/** Explains an `anyOf` or `oneOf` without a match: in one sentence, or by the errors of the only plausible branch. */
function explainAlternatives(error: ErrorObject, inner: ErrorObject[], place: ErrorDetail['in']): ErrorDetail[] {
  const explained = error.keyword === 'oneOf' ? explainObjects(error, inner, place) : null;
  if (explained) return explained;
  const branches = (error.schema as Json[]).map((schema, index) => ({ schema, index }));
  const meant = branches.filter((branch) => branch.schema.type !== 'null');
  const orNull = meant.length < branches.length ? ' or null' : '';
  const detailOf = (message: string) => [{ in: place, field: fieldOf(error), message: `must be ${message}${orNull}` }];

  const constants = meant.map((branch) => constantsOf(branch.schema));
  if (constants.every((values) => values !== null)) return detailOf(listed(constants.flat()));

  const errorsOf = (index: number) =>
    inner.filter((item) => item.schemaPath.startsWith(`${error.schemaPath}/${index}/`));
  const isOfType = (index: number) =>
    errorsOf(index).every((item) => item.keyword !== 'type' || item.instancePath !== error.instancePath);
  const fitting = meant.filter((branch) => isOfType(branch.index));
  if (fitting.length === 1) return explain(errorsOf(fitting[0]!.index), place);
  const messages = meant.flatMap((branch) => explain(errorsOf(branch.index), place).map((detail) => detail.message));
  return detailOf([...new Set(messages.map((message) => message.replace(/^must be /, '')))].join(', or '));
}

/** Returns whether an error was found while trying the branches of another keyword. */
const isWithin = (error: ErrorObject, outer: ErrorObject) =>
  error.schemaPath.startsWith(`${outer.schemaPath}/`) &&
  (error.instancePath === outer.instancePath || error.instancePath.startsWith(`${outer.instancePath}/`));

const isAlternative = (error: ErrorObject) => error.keyword === 'anyOf' || error.keyword === 'oneOf';

const maxDetails = 20;

/** Turns Ajv's errors (with `verbose`) into details that say what is accepted: one for each field, and at most 20. */
export function explain(errors: ErrorObject[], place: ErrorDetail['in']): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  const alternatives = errors.filter(isAlternative);
  const isInner = (error: ErrorObject) => alternatives.some((outer) => outer !== error && isWithin(error, outer));
  for (const error of errors) {
    if (details.size === maxDetails) break;
    if (isInner(error) || error.keyword === 'if') continue;
    const found = isAlternative(error)
      ? explainAlternatives(
          error,
          errors.filter((item) => isWithin(item, error)),
          place,
        )
      : [{ in: place, field: fieldOf(error), message: explainOne(error, place) }];
    for (const detail of found) {
      const field = detail.field || 'body';
      if (!details.has(field)) details.set(field, { ...detail, field });
    }
  }
  return [...details.values()].slice(0, maxDetails);
}

function explainOne(error: ErrorObject, place: ErrorDetail['in']): string {
  const schema = (error.parentSchema ?? {}) as Json;
  if (typeof schema.errorMessage === 'string') return schema.errorMessage;
  return sentences[error.keyword]?.(error.params as Json, schema, place) ?? 'is not valid';
}
