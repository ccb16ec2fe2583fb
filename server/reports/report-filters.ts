import Type, { type Static, type TArray, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { filterProperties, readFilters } from '../findings/filters/read.ts';
import type { FilterInput, FindingFilters } from '../findings/filters/table.ts';
import { invalid } from '../platform/errors.ts';
import { time } from '../platform/http/schema.ts';
import type { Db } from '../platform/postgres/database.ts';

const lists = [
  'severity',
  'source',
  'status',
  'data_source',
  'data_source_tag',
  'owner',
  'criticality',
  'tag',
  'assignee',
  'rule',
  'rule_tag',
  'identifier',
  'path',
  'package',
  'context',
] as const;
type Lists = (typeof lists)[number];

const separated = Type.String({ minLength: 1, maxLength: 5000, description: 'Several values, comma-separated.' });
const listOrText = (name: Lists) => {
  const { items, description } = filterProperties[name] as unknown as TArray & { description: string };
  return Type.Optional(Type.Union([Type.Array(items, { minItems: 1, maxItems: 100 }), separated], { description }));
};

/** The filters of a report: those of `GET /findings`, with lists as arrays or comma-separated texts. */
export const ReportFilters = Type.Object(
  {
    severity: listOrText('severity'),
    source: listOrText('source'),
    status: listOrText('status'),
    data_source: listOrText('data_source'),
    data_source_tag: listOrText('data_source_tag'),
    owner: listOrText('owner'),
    criticality: listOrText('criticality'),
    tag: listOrText('tag'),
    assignee: listOrText('assignee'),
    rule: listOrText('rule'),
    rule_tag: listOrText('rule_tag'),
    identifier: listOrText('identifier'),
    path: listOrText('path'),
    package: listOrText('package'),
    reopened: filterProperties.reopened,
    accepted_until_to: filterProperties.accepted_until_to,
    priority_min: filterProperties.priority_min,
    kev: filterProperties.kev,
    epss_min: filterProperties.epss_min,
    context: listOrText('context'),
    unique: filterProperties.unique,
    overdue: filterProperties.overdue,
    due_to: filterProperties.due_to,
    from: filterProperties.from,
    to: filterProperties.to,
    q: filterProperties.q,
    updated_from: filterProperties.updated_from,
    updated_to: filterProperties.updated_to,
  },
  {
    $id: 'ReportFilters',
    description: 'The filters of `GET /findings`. Without filters, the report covers all findings.',
  },
);
export type ReportFilters = Static<typeof ReportFilters>;

/** The filters in responses, where clients must expect new fields. */
export const ReportSelection = Type.Object(
  {
    ...ReportFilters.properties,
    from: Type.Optional(time('First seen at or after this time.')),
    to: Type.Optional(time('First seen at or before this time.')),
    updated_from: Type.Optional(time('Changed at or after this time.')),
    updated_to: Type.Optional(time('Last changed at or before this time.')),
    accepted_until_to: Type.Optional(time('Its risk is accepted until this time or an earlier one.')),
    due_to: Type.Optional(time('Due at or before this time.')),
  },
  { $id: 'ReportSelection', description: 'The filters of the request.' },
);

const refuse = (field: string, message: string) => invalid('body', `filters.${field}`, message);

function listValues(name: Lists, text: string): string[] {
  const values = [...new Set(text.split(',').map((value) => value.trim()))];
  const schema = filterProperties[name] as TSchema & { items: { enum?: string[] } };
  if (Value.Check(schema, values)) return values;
  const known = schema.items.enum;
  throw refuse(name, known ? `must be one of ${known.join(', ')}` : 'each value must have at least one character');
}

/** Returns the filters with every list as an array. Throws a 400 that names the invalid one. */
export function normalizeFilters(filters: ReportFilters): FilterInput {
  const normalized: Record<string, unknown> = { ...filters };
  for (const name of lists) {
    const value = filters[name];
    if (typeof value === 'string') normalized[name] = listValues(name, value);
  }
  return normalized as FilterInput;
}

/**
 * Returns the filters in the form that selects findings; `me` is the actor. Throws a 400 that names the invalid one.
 */
export function readReportFilters(
  db: Db,
  actor: { orgId: string; userId: string | null },
  filters: ReportFilters,
  now?: Date,
): Promise<FindingFilters> {
  return readFilters(db, actor, normalizeFilters(filters), { refuse, ...(now && { now }) });
}
