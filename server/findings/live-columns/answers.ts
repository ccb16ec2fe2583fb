import type { FindingColumns } from '../columns/finding-columns.ts';
import { listKnown, nameRules } from './known-values.ts';
import { countFacets, countGroups, findPage, selectIds } from './questions.ts';
import { suggestValues } from './suggest.ts';
import { summarize } from './summarize.ts';

/** The queries that columns support, by name. */
export const answers = {
  countFacets,
  countGroups,
  findPage,
  listKnown,
  nameRules,
  selectIds,
  suggestValues,
  summarize,
};

type Answers = typeof answers;
export type QuestionName = keyof Answers;

/** The parameters of a query: those of its function after the columns. */
export type Given<Name extends QuestionName> =
  Parameters<Answers[Name]> extends [FindingColumns, ...infer Others] ? Others : never;
export type Answer<Name extends QuestionName> = ReturnType<Answers[Name]>;
