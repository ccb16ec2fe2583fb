import Type, { type TOptional } from 'typebox';
import { type ApiError, invalid } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/database.ts';
import type { Chosen, Control, Reading } from '../filter.ts';
import { digitsOf } from './number.ts';
import {
  type AnyFilter,
  type FilterInput,
  type FilterName,
  type FindingFilters,
  filterEntries,
  type filters,
} from './table.ts';

type Properties = { [Name in FilterName]: TOptional<(typeof filters)[Name]['schema']> };

const nameOf = (filter: FilterName) =>
  filter
    .split('_')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');

/** The `x-filter` extension of a parameter: everything besides the schema that the console and clients need. */
const described = ({ label, control, keys, facet, grouping }: AnyFilter) => ({
  label,
  keys,
  // Facts of findings take longer to count than columns.
  facet: facet === undefined ? null : facet.fact === undefined ? 'quick' : 'slow',
  grouping: grouping !== undefined,
  of_data_source: facet?.dataSource === true,
  control,
});

/**
 * The filters of `GET /findings`, as query parameters or as the members of a `filter` object. In every list a leading
 * `-` excludes a value.
 */
export const filterProperties = Object.fromEntries(
  filterEntries.map(([name, filter]) => [
    name,
    Object.assign(Type.Optional(filter.schema), {
      $id: `${nameOf(name)}FilterValue`,
      'x-parameter': `FilterBy${nameOf(name)}`,
      'x-filter': described(filter),
    }),
  ]),
) as Properties;

/** Creates the error for an invalid filter, including where the filter was given. */
type Refuse = (field: string, message: string) => ApiError;
const refuseParameter: Refuse = (field, message) => invalid('query', field, message);

type Actor = { orgId: string; userId: string | null };

/** The time that relative times refer to; the current time by default. */
type Options = { refuse?: Refuse; now?: Date };

const endOf = (control: Control, end: 'from' | 'to') =>
  (control.kind === 'time' || control.kind === 'range') && control.end === end ? control.keys[0] : undefined;

/** Throws for a range that ends before it starts. */
function requireOrder(found: FindingFilters, refuse: Refuse): void {
  for (const [name, { control }] of filterEntries) {
    const key = endOf(control, 'from');
    const last = key && filterEntries.find(([, other]) => endOf(other.control, 'to') === key)?.[0];
    if (last && found[name] !== undefined && found[last] !== undefined && Number(found[name]) > Number(found[last]))
      throw refuse(name, `must not be after \`${last}\``);
  }
}

/**
 * Reads the filters of a request. Throws the error that `refuse` creates, a 400 that names the parameter. Email
 * addresses of assignees become ids; an address that belongs to no member selects nothing.
 */
export async function readFilters(
  db: Db,
  actor: Actor,
  input: FilterInput,
  { refuse = refuseParameter, now = new Date() }: Options = {},
): Promise<FindingFilters> {
  const found: Record<string, unknown> & FindingFilters = {};
  const excluded: Record<string, unknown> = {};
  for (const [name, filter] of filterEntries) {
    const given = input[name];
    if (given === undefined) continue;
    const reading: Reading = { ...actor, now, refuse: (message) => refuse(name, message) };
    const read = filter.read(given, reading) as Chosen<unknown>;
    const { any, none } = (await filter.resolve?.(db, read, reading)) ?? read;
    if (any !== undefined) found[name] = any;
    if (none !== undefined) excluded[name] = none;
  }
  const named = found.q && digitsOf(found.q.text);
  if (named) {
    // A word search would also find texts that only mention the number.
    found.number = (found.number ?? [named]).filter((digits) => digits === named);
    delete found.q;
  }
  const all = (Object.keys(excluded).length > 0 ? { ...found, excluded } : found) as FindingFilters;
  requireOrder(all, refuse);
  return all;
}
