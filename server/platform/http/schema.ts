import Type, { type TEnum, type TNull, type TSchema, type TSchemaOptions, type TUnion } from 'typebox';
import { timeFormat } from '../times.ts';

/** One of a fixed set of strings. */
export function enumeration<const Values extends readonly string[]>(
  values: Values,
  options: TSchemaOptions = {},
): TEnum<[...Values]> {
  return Type.Enum([...values], options) as unknown as TEnum<[...Values]>;
}

/** The schema, or null. */
export function nullable<Schema extends TSchema>(
  schema: Schema,
  options: TSchemaOptions = {},
): TUnion<[Schema, TNull]> {
  return Type.Union([schema, Type.Null()], options) as unknown as TUnion<[Schema, TNull]>;
}

/** A time as the API writes it: UTC, to the second. */
export const time = (description = 'UTC, to the second.') =>
  Type.String({ format: 'date-time', description, examples: ['2026-01-31T09:30:00Z'], 'x-shape': timeFormat });

/** A query parameter that takes several values, comma-separated or repeated. */
export const listOf = <Schema extends TSchema>(item: Schema, options: TSchemaOptions = {}) =>
  Type.Array(item, { minItems: 1, maxItems: 100, ...options });

/** The parameters of every list: spread them into a query schema. `limit` arrives as a number, 50 when not given. */
export const pageParameters = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many to answer at most.' }),
  ),
  next_cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'The `next_cursor` of the page before, with the same filters and sort.',
    }),
  ),
};

/** The answer of a list endpoint, named `<name>Page` in the OpenAPI document. */
export function page<Item extends TSchema>(item: Item, name: string) {
  return Type.Object(
    {
      data: Type.Array(item),
      next_cursor: nullable(Type.String(), {
        description: 'Give it as `next_cursor` to read on; null on the last page.',
      }),
    },
    { $id: `${name}Page` },
  );
}

export const defaultLimit = 50;
