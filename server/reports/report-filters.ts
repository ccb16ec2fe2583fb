import Type, { type Static, type TArray, type TOptional, type TSchema, type TUnion } from 'typebox';
import { Value } from 'typebox/value';
import { filterProperties, readFilters } from '../findings/filters/read.ts';
import type { FilterInput, FilterName, FindingFilters } from '../findings/filters/table.ts';
import { invalid } from '../platform/errors.ts';
import type { Db } from '../platform/postgres/database.ts';

const separated = Type.String({
  $id: 'CommaSeparated',
  minLength: 1,
  maxLength: 5000,
  description: 'Several values, comma-separated.',
});
const isList = (schema: TSchema) => 'items' in schema;

/** Returns the schema of a filter in a report: several values are an array or a comma-separated text. */
function listOrText(schema: TSchema): TSchema {
  if (!isList(schema)) return schema;
  const { $id, description } = schema as TArray & { $id: string; description: string };
  return Type.Optional(Type.Union([schema, separated], { $id: $id.replace(/Value$/, 'OfReport'), description }));
}

type Properties = {
  [Name in FilterName]: TOptional<
    FilterInput[Name] extends readonly unknown[] | undefined
      ? TUnion<[(typeof filterProperties)[Name], typeof separated]>
      : (typeof filterProperties)[Name]
  >;
};
const properties = Object.fromEntries(
  Object.entries(filterProperties).map(([name, schema]) => [name, listOrText(schema)]),
) as Properties;

/** The filters of a report: those of `GET /findings`, with lists as arrays or comma-separated texts. */
export const ReportFilters = Type.Object(properties, {
  $id: 'ReportFilters',
  description: 'The filters of `GET /findings`. Without filters, the report covers all findings.',
});
export type ReportFilters = Static<typeof ReportFilters>;

/** The filters in responses, where clients must expect new fields. */
export const ReportSelection = Type.Object(properties, {
  $id: 'ReportSelection',
  description: 'The filters of the request.',
});

const refuse = (field: string, message: string) => invalid('body', `filters.${field}`, message);

function listValues(name: FilterName, text: string): string[] {
  const values = [...new Set(text.split(',').map((value) => value.trim()))];
  const schema = filterProperties[name] as TSchema & { items: { enum?: string[] } };
  if (Value.Check(schema, values)) return values;
  const known = schema.items.enum;
  throw refuse(name, known ? `must be one of ${known.join(', ')}` : 'each value must have at least one character');
}

/** Returns the filters with every list as an array. Throws a 400 that names the invalid filter. */
export function normalizeFilters(filters: ReportFilters): FilterInput {
  const normalized: Record<string, unknown> = { ...filters };
  for (const [name, value] of Object.entries(filters) as [FilterName, unknown][]) {
    if (typeof value === 'string' && isList(filterProperties[name])) normalized[name] = listValues(name, value);
  }
  return normalized as FilterInput;
}

/**
 * Returns the filters in the form that selects findings; `me` is the actor. Throws a 400 that names the invalid filter.
 */
export function readReportFilters(
  db: Db,
  actor: { orgId: string; userId: string | null },
  filters: ReportFilters,
  now?: Date,
): Promise<FindingFilters> {
  return readFilters(db, actor, normalizeFilters(filters), { refuse, ...(now && { now }) });
}
