import Type from 'typebox';
import { anyOf } from '../filter.ts';
import { numberPrefix } from '../finding-schema.ts';
import { valuesFilter } from './values-filter.ts';

const maxNumber = 2 ** 31 - 1;

/** Returns the digits of a finding's number; null for any other text. */
export const digitsOf = (text: string): string | null => /^\s*F-([1-9]\d{0,9})\s*$/i.exec(text)?.[1] ?? null;

/** No finding has the number 0. */
const stored = (digits: string): number => (Number(digits) > maxNumber ? 0 : Number(digits));

export const number = valuesFilter({
  item: Type.String({
    pattern: '^-?([Ff]-)?[1-9][0-9]{0,9}$',
    errorMessage: 'must be the number of a finding, such as F-1042',
  }),
  description: 'Findings with any of these numbers: `F-1042`.',
  label: { en: 'Number', de: 'Nummer' },
  control: { kind: 'text' },
  keys: ['number', 'no'],
  normalize: (value) => digitsOf(value) ?? value,
  condition: (values, parameters) => anyOf('f.number', values.map(stored), 'integer', parameters),
  column: (values) => ({ number: 'number', in: values.map(stored) }),
  samples: [['F-1'], ['f-2', '3'], ['-F-1']],
  matches: (finding, values) => values.includes(finding.number.slice(numberPrefix.length)),
});
