import Type, { type Static } from 'typebox';
import { type ApiError, invalid } from '../platform/errors.ts';
import { enumeration, listOf, timeInput } from '../platform/http/schema.ts';
import type { Db } from '../platform/postgres/database.ts';
import { readTime, timeExpectation } from '../platform/times.ts';
import { dataSourceFilterProperties, readDataSourceFilters, readPerson } from './data-source-filters.ts';
import { type ExcludableFilter, excludableFilters, type FindingFilters } from './filters.ts';
import { statuses } from './lifecycle.ts';
import { choose, readNegation } from './negation.ts';
import { pathWords } from './path-pattern.ts';
import { severities } from './severity.ts';
import { contextChoices } from './test-path.ts';

const name = Type.String({ minLength: 1, maxLength: 500 });

/** The values of a small set, each also with a leading `-`. */
const choiceOf = <const Values extends readonly string[]>(values: Values, $id: string) =>
  enumeration([...values, ...values.map((value) => `-${value}` as `-${Values[number]}`)], {
    $id,
    description: 'With a leading `-`: any but this.',
    errorMessage: `must be one of ${values.join(', ')}, or one of these with a leading - to exclude it`,
  });
const SeverityFilter = choiceOf(severities, 'SeverityFilter');
const StatusFilter = choiceOf(statuses, 'FindingStatusFilter');
const ContextFilter = choiceOf(contextChoices, 'FindingContextFilter');

const timeText = (description: string) => Type.Optional(timeInput(description));

/**
 * The filters of `GET /findings`, as query parameters or as the members of a `filter` object. In every list a leading `-`
 * excludes a value.
 */
export const filterProperties = {
  severity: Type.Optional(
    listOf(SeverityFilter, {
      description: 'Any of these severities. A leading `-` excludes one, here and in all lists.',
    }),
  ),
  source: Type.Optional(listOf(name, { description: 'Any of these detection source types.' })),
  status: Type.Optional(listOf(StatusFilter, { description: 'Any of these statuses.' })),
  data_source: Type.Optional(listOf(name, { description: 'In any of these data sources (ids).' })),
  from: timeText('First seen at or after this time.'),
  to: timeText('First seen at or before this time, to the second.'),
  ...dataSourceFilterProperties,
  tag: Type.Optional(
    listOf(Type.String({ minLength: 1, maxLength: 66, pattern: '^[^,]*$' }), {
      description: 'With any of these tags.',
    }),
  ),
  assignee: Type.Optional(
    listOf(Type.String({ minLength: 1, maxLength: 320 }), {
      description: 'Assigned to any of these: an id, an email address, `me`, or `none`.',
    }),
  ),
  rule: Type.Optional(listOf(name, { description: 'Of any of these rules (ids).' })),
  rule_tag: Type.Optional(
    listOf(Type.String({ minLength: 1, maxLength: 100 }), {
      description: 'Of rules with any of these tags of their scanner, such as `security`. Case does not matter.',
    }),
  ),
  identifier: Type.Optional(
    listOf(Type.String({ minLength: 1, maxLength: 200 }), {
      description: 'With any of these identifiers: `CWE-798`, `CVE-2021-44228`, `GHSA-…`. Case does not matter.',
    }),
  ),
  path: Type.Optional(
    listOf(name, {
      description:
        'At any of these paths: the beginning of one (`src/api`), or a pattern of a whole one with `*`, `**` (also across `/`) and `?`. It must contain a whole word or the beginning of one, such as `src` in `src/*` or `test` in `**/test/**`.',
    }),
  ),
  package: Type.Optional(listOf(name, { description: 'In any of these packages (names).' })),
  reopened: Type.Optional(Type.Boolean({ description: 'Whether it came back after it was resolved.' })),
  accepted_until_to: timeText('Its risk is accepted until this time or an earlier one.'),
  priority_min: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, description: 'Of this priority or a higher one.' }),
  ),
  kev: Type.Optional(
    Type.Boolean({
      description: 'Whether one of its CVEs is known to be exploited: it is in the catalogue of CISA (KEV).',
    }),
  ),
  epss_min: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'With an EPSS score of at least this, 0 to 1.' }),
  ),
  context: Type.Optional(
    listOf(ContextFilter, {
      description: '`test`: only in tests and examples; `-test` or `none`: elsewhere.',
    }),
  ),
  unique: Type.Optional(
    Type.Boolean({
      description:
        'With `true`, only one of the findings of several detection sources about one problem (see `related`): of the open ones, or else of all, the one that was recorded first.',
    }),
  ),
  overdue: Type.Optional(Type.Boolean({ description: 'Whether it should be fixed by now: its due date has passed.' })),
  due_to: timeText('Due at or before this time, to the second.'),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Words that must all occur in title, description, path, rule, identifiers, package, evidence, remediation or references. Case does not matter. Of evidence, the first words count, up to 150 with those of the title, and of description, remediation and references the first 500.',
    }),
  ),
  updated_from: timeText('Changed at or after this time. With `sort=updated_at`, the way to follow all changes.'),
  updated_to: timeText('Last changed at or before this time, to the second.'),
};

const filterSchema = Type.Object(filterProperties);
export type FilterInput = Static<typeof filterSchema>;

/** Makes the error for an invalid filter, which names where the filter was given. */
type Refuse = (field: string, message: string) => ApiError;
const refuseParameter: Refuse = (field, message) => invalid('query', field, message);

type TimeFilter = 'from' | 'to' | 'updated_from' | 'updated_to' | 'accepted_until_to' | 'due_to';

function timeOf(field: TimeFilter, text: string | undefined, refuse: Refuse): Date | undefined {
  if (text === undefined) return undefined;
  const time = readTime(text);
  if (time === null) throw refuse(field, timeExpectation);
  return time;
}

type Actor = { orgId: string; userId: string | null };

const inputOf: Record<ExcludableFilter, keyof FilterInput> = {
  source: 'source',
  dataSource: 'data_source',
  tag: 'tag',
  rule: 'rule',
  ruleTag: 'rule_tag',
  assignee: 'assignee',
  identifier: 'identifier',
  path: 'path',
  package: 'package',
};

/** Reads the values of a list filter in the form in which findings have them. */
function readValues(db: Db, actor: Actor, filter: ExcludableFilter, values: string[]): Promise<string[]> | string[] {
  if (filter === 'tag') return values.map((tag) => tag.trim().normalize('NFC'));
  if (filter === 'assignee') return Promise.all(values.map((text) => readPerson(db, actor, text)));
  return values;
}

async function readLists(db: Db, actor: Actor, input: FilterInput, refuse: Refuse): Promise<FindingFilters> {
  const filters: FindingFilters = {};
  const excluded: FindingFilters['excluded'] = {};
  for (const filter of excludableFilters) {
    const chosen = readNegation(input[inputOf[filter]] as string[] | undefined);
    if (!chosen) throw refuse(inputOf[filter], 'must have a value after the `-` that excludes it');
    if (filter === 'path' && chosen.any?.some((path) => pathWords(path) === null))
      throw refuse(
        'path',
        'must contain a whole word or the beginning of one, as `src` in `src/*` or `test` in `**/test/**`',
      );
    if (chosen.any) filters[filter] = await readValues(db, actor, filter, chosen.any);
    if (chosen.none) excluded[filter] = await readValues(db, actor, filter, chosen.none);
  }
  return Object.keys(excluded).length > 0 ? { ...filters, excluded } : filters;
}

/**
 * Reads the filters of a request. Throws the error that `refuse` makes, a 400 that names the parameter. Email
 * addresses of assignees become ids; an address of no member selects nothing.
 */
export async function readFilters(
  db: Db,
  actor: Actor,
  input: FilterInput,
  refuse = refuseParameter,
): Promise<FindingFilters> {
  const time = (field: TimeFilter) => timeOf(field, input[field], refuse);
  const bounds = {
    from: time('from'),
    to: time('to'),
    updatedFrom: time('updated_from'),
    updatedTo: time('updated_to'),
  };
  const { from, to, updatedFrom, updatedTo } = bounds;
  if (from && to && from > to) throw refuse('from', 'must not be after `to`');
  if (updatedFrom && updatedTo && updatedFrom > updatedTo)
    throw refuse('updated_from', 'must not be after `updated_to`');
  return {
    ...(await readLists(db, actor, input, refuse)),
    ...(await readDataSourceFilters(db, actor, input, refuse)),
    ...bounds,
    severity: choose(severities, input.severity),
    status: choose(statuses, input.status),
    reopened: input.reopened,
    acceptedUntilTo: time('accepted_until_to'),
    overdue: input.overdue === undefined ? undefined : { is: input.overdue, at: new Date() },
    dueTo: time('due_to'),
    priorityMin: input.priority_min,
    kev: input.kev,
    epssMin: input.epss_min,
    context: choose(contextChoices, input.context),
    unique: input.unique || undefined,
    q: input.q,
  };
}
