import Type from 'typebox';
import { listOf } from '../../platform/http/schema.ts';
import { defineFilter } from '../filter.ts';
import { rowsCondition, rowsTerm, standardChoices } from '../standards/standards.ts';
import { readNegation } from './negation.ts';

/** `at` is the time of the request if a row depends on it. */
type Value = { values: string[]; at: Date | null };

const rowsOf = new Map(standardChoices.map(({ value, rows }) => [value, rows]));
const dependsOnTime = (values: readonly string[]) =>
  values.some((value) => rowsOf.get(value)?.some(({ matches }) => matches.some(({ overdue }) => overdue)));

export const standard = defineFilter({
  schema: listOf(Type.String({ minLength: 1, maxLength: 60 }), {
    description:
      'That count for any of these requirements of standards, such as `owasp-2021:A03`, or for any of a standard, such as `pci-dss-4.0.1`; see `standards` of a finding.',
  }),
  label: { en: 'Standard', de: 'Standard' },
  control: { kind: 'choice', values: standardChoices.map(({ value, label }) => ({ value, label })), closed: true },
  keys: ['standard'],
  read: (given, { now, refuse }) => {
    const chosen = readNegation(given);
    const all = [...(chosen?.any ?? []), ...(chosen?.none ?? [])];
    if (!chosen || all.some((value) => !rowsOf.has(value)))
      throw refuse('must be a requirement such as owasp-2021:A03, or a standard such as owasp-2021');
    const chosenValue = (values: string[] | undefined): Value | undefined =>
      values && { values, at: dependsOnTime(values) ? now : null };
    return { any: chosenValue(chosen.any), none: chosenValue(chosen.none) };
  },
  dependsOnNow: (given) => dependsOnTime(given.map((value) => value.replace(/^-/, ''))),
  holdsNow: ({ at }) => at !== null,
  condition: ({ values, at }, parameters) =>
    rowsCondition(
      values.flatMap((value) => rowsOf.get(value)!),
      at === null ? 'now()' : `${parameters.add(at)}::timestamptz`,
    ),
  column: ({ values, at }) =>
    rowsTerm(
      values.flatMap((value) => rowsOf.get(value)!),
      at,
    ),
  samples: [
    ['pci-dss-4.0.1:8.6.2'],
    ['owasp-2021', 'pci-dss-4.0.1:6.3.3'],
    ['-pci-dss-4.0.1:6.3.3'],
    ['-owasp-2025:A03'],
  ],
  matches: ({ standards }, { values }) =>
    standards.some((row) => values.some((value) => row === value || row.startsWith(`${value}:`))),
});
