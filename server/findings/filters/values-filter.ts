import Type, { type Static, type TSchema } from 'typebox';
import { enumeration, listOf } from '../../platform/http/schema.ts';
import { type Chosen, defineFilter, type Filter } from '../filter.ts';
import { choose, readNegation } from './negation.ts';

type Shared<Value> = Omit<Filter<TSchema, Value>, 'schema' | 'read' | 'samples'>;

type ValuesFilter = Shared<string[]> & {
  description: string;
  item: TSchema;
  samples: readonly [string[], ...string[][]];
  /** Returns a value in the form that findings store. */
  normalize?(value: string, userId: string | null): string;
  /** Returns the reason why these values can't be used as a filter. */
  explain?(values: string[]): string | undefined;
};

/** A name from a scanner. */
export const name = Type.String({ minLength: 1, maxLength: 500 });
export const tagName = Type.String({ minLength: 1, maxLength: 66, pattern: '^[^,]*$' });
export const normalizeTag = (tag: string): string => tag.trim().normalize('NFC');

/** Creates a filter that matches any of several values; a leading `-` excludes a value. */
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

/** Creates the schema for the values of a small set, each also with a leading `-`. */
export const choiceOf = <const Values extends readonly string[]>(values: Values, $id: string) =>
  enumeration([...values, ...values.map((value) => `-${value}` as `-${Values[number]}`)], {
    $id,
    description: 'With a leading `-`: any but this.',
    errorMessage: `must be one of ${values.join(', ')}, or one of these with a leading - to exclude it`,
  });

/** Creates a filter for some values of a small set; excluding values selects the remaining ones. */
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
