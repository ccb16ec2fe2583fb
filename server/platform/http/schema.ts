import Type, { type TEnum, type TNull, type TObject, type TSchema, type TSchemaOptions, type TUnion } from 'typebox';
import { type IdPrefix, idPattern } from '../id.ts';
import { inputTimePattern, momentExpectation, relativeTimePattern, timeExpectation, timePattern } from '../times.ts';

/** Returns the schema of a fixed set of strings. */
export function enumeration<const Values extends readonly string[]>(
  values: Values,
  options: TSchemaOptions = {},
): TEnum<[...Values]> {
  return Type.Enum([...values], options) as unknown as TEnum<[...Values]>;
}

/** Returns a schema that also accepts null. */
export function nullable<Schema extends TSchema>(
  schema: Schema,
  options: TSchemaOptions = {},
): TUnion<[Schema, TNull]> {
  return Type.Union([schema, Type.Null()], options) as unknown as TUnion<[Schema, TNull]>;
}

/** Returns the schema of a time in the API's format: UTC, to the second. */
export const time = (description?: string) =>
  Type.String({
    $id: 'Time',
    pattern: timePattern,
    ...(description === undefined ? {} : { description }),
    'x-about': 'UTC, to the second.',
    examples: ['2026-01-31T09:30:00Z'],
  });

/**
 * A time that a client sends, in any RFC 3339 form. The keyword `x-time` converts it for the handler to UTC and whole
 * seconds.
 */
export const timeInput = (description: string) =>
  Type.String({
    pattern: inputTimePattern,
    description: `${description} Any time of RFC 3339; it is converted to UTC and truncated to whole seconds.`,
    examples: ['2026-01-31T09:30:00Z'],
    errorMessage: timeExpectation,
    'x-time': true,
  });

/**
 * A time that a client sends, or a relative one, which is resolved for each request. The keyword `x-time` converts it
 * to the API's format.
 */
export const momentInput = (description: string) =>
  Type.String({
    pattern: `${inputTimePattern}|${relativeTimePattern}`,
    description: `${description} A time of RFC 3339, or one from now on in hours, days or weeks: \`7d\`, \`-30d\`, \`-12h\`. Days are those of UTC, and whole.`,
    examples: ['2026-01-31T09:30:00Z', '-30d'],
    errorMessage: momentExpectation,
    'x-time': 'moment',
  });

/** Returns the schema of ids with one prefix. */
export const idOf = (prefix: IdPrefix, description?: string) =>
  Type.String({
    description: description ?? `\`${prefix}_…\``,
    pattern: idPattern(prefix),
    errorMessage: `must be an id of the form ${prefix}_…`,
  });

/** An email address. */
export const email = (description = 'Email address.', maxLength = 320) =>
  Type.String({ format: 'email', minLength: 3, maxLength, description });

/**
 * Returns a union of objects. Each has its own single value of `property` as an enumeration, and a `$id`, from which
 * generators name its type.
 */
export function oneOfKind<Variants extends TObject[]>(
  property: string,
  variants: [...Variants],
  options: TSchemaOptions = {},
): TUnion<Variants> {
  const mapping = variants.map((variant) => {
    const { enum: values } = variant.properties[property] as TSchema & { enum: [string] };
    const { $id } = variant as { $id?: string };
    return [values[0], `#/components/schemas/${$id}`];
  });
  const discriminator = { propertyName: property, mapping: Object.fromEntries(mapping) };
  return { type: 'object', oneOf: variants, discriminator, ...options } as unknown as TUnion<Variants>;
}

/** Returns a union of objects that differ in their required fields. A value must match exactly one. */
export function exactlyOne<Variants extends TObject[]>(
  variants: [...Variants],
  options: TSchemaOptions = {},
): TUnion<Variants> {
  return { type: 'object', oneOf: variants, ...options } as unknown as TUnion<Variants>;
}

/** Returns the schema of a query parameter with several values, comma-separated or repeated. */
export const listOf = <Schema extends TSchema>(item: Schema, options: TSchemaOptions = {}) =>
  Type.Array(item, { minItems: 1, maxItems: 100, ...options });

/** The parameters of every list: spread them into a query schema. `limit` arrives as a number, 50 by default. */
export const pageParameters = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 50,
      description: 'The maximum number of items on a page.',
      'x-parameter': 'Limit',
    }),
  ),
  next_cursor: Type.Optional(
    // Without a maximum length, so that anything that is not a cursor is refused as `invalid_cursor`.
    Type.String({
      description: 'The `next_cursor` of the page before, with the same filters and sort.',
      'x-parameter': 'NextCursor',
    }),
  ),
};

/** Returns the schema of a list's response, named `<name>Page` in the OpenAPI document. */
export function page<Item extends TSchema>(item: Item, name: string) {
  return Type.Object(
    {
      data: Type.Array(item),
      next_cursor: nullable(Type.String(), {
        $id: 'NextPageCursor',
        description: 'Give it as `next_cursor` to read on; null on the last page.',
      }),
    },
    { $id: `${name}Page` },
  );
}
