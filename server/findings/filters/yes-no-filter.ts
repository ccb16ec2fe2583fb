import Type from 'typebox';
import { defineFilter, type Filter } from '../filter.ts';

/** The control of a filter that is `true` or `false`. */
export const yesNo = {
  kind: 'choice' as const,
  values: [
    { value: 'true', label: { en: 'Yes', de: 'Ja' } },
    { value: 'false', label: { en: 'No', de: 'Nein' } },
  ],
  closed: true,
};

type YesNoFilter = Omit<Filter<ReturnType<typeof Type.Boolean>, boolean>, 'schema' | 'control' | 'read' | 'samples'> & {
  description: string;
};

/** Creates a filter for the findings with a property, or without it. */
export const yesNoFilter = ({ description, ...filter }: YesNoFilter) =>
  defineFilter({
    ...filter,
    schema: Type.Boolean({ description }),
    control: yesNo,
    read: (any) => ({ any }),
    samples: [true, false],
  });
