import Type, { type Static, type TSchema } from 'typebox';
import { enumeration, listOf } from '../../platform/http/schema.ts';
import { type Chosen, defineFilter, type Filter } from '../filter.ts';
import { choose, readNegation } from './negation.ts';

type Shared<Value> = Omit<Filter<TSchema, Value>, 'schema' | 'read' | 'samples'>;

type ValuesFilter = Shared<string[]> & {
  description: string;
  item: TSchema;
  samples: readonly [string[], ...string[][]];
  /** Returns a value in the form in which findings have it. */
  normalize?(value: string, userId: string | null): string;
  /** Returns why findings can't be selected by these values. */
  explain?(values: string[]): string | undefined;
};

/** A name as a scanner gives it. */
export const name = Type.String({ minLength: 1, maxLength: 500 });
export const tagName = Type.String({ minLength: 1, maxLength: 66, pattern: '^[^,]*$' });
export const normalizeTag = (tag: string): string => tag.trim().normalize('NFC');

/** Makes a filter with several values, of which any must match; a leading `-` excludes one. */
export function valuesFilter({ item, description, normalize, explain, ...filter }: ValuesFilter) {
  return defineFilter({
    ...filter,
    schema: listOf(item, { description }) as ReturnType<typeof listOf<ReturnType<typeof Type.String>>>,
    read: (given, { userId, refuse }) => {
      const chosen = readNegation(given);
      if (!chosen) throw refuse('must have a value after the `-` that excludes it');
      const wrong = chosen.any && explain?.(chosen.any);
      if (wrong) throw refuse(wrong);
      const read = (values: string[] | undefined) => values?.map((value) => normalize?.(value, userId) ?? value);
      return { any: read(chosen.any), none: read(chosen.none) };
    },
  });
}

/** Makes the schema of the values of a small set, each also with a leading `-`. */
export const choiceOf = <const Values extends readonly string[]>(values: Values, $id: string) =>
  enumeration([...values, ...values.map((value) => `-${value}` as `-${Values[number]}`)], {
    $id,
    description: 'With a leading `-`: any but this.',
    errorMessage: `must be one of ${values.join(', ')}, or one of these with a leading - to exclude it`,
  });

/** Makes a filter with some values of a small set; instead of those that are excluded, the others are chosen. */
export function choiceFilter<const Values extends readonly string[]>({
  values,
  $id,
  description,
  ...filter
}: Shared<Values[number][]> & {
  values: Values;
  $id: string;
  description: string;
  samples: readonly [ChoiceOf<Values>[], ...ChoiceOf<Values>[][]];
}) {
  return defineFilter({
    ...filter,
    schema: listOf(choiceOf(values, $id), { description }),
    read: (given): Chosen<Values[number][]> => {
      const any = choose(values, given as readonly string[]);
      return { any: any as Values[number][] | undefined };
    },
  });
}
type ChoiceOf<Values extends readonly string[]> = Static<ReturnType<typeof choiceOf<Values>>>;
