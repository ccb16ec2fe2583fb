import { isDeepStrictEqual } from 'node:util';
import { severityName } from '@assay/scanner/contract/severity.ts';
import { readChangeNumber } from '../../organization/change-number.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { type FindingFilters, filters as table } from '../filters/table.ts';
import { withoutFilter } from '../listing/filter-shape.ts';
import type { ColumnService } from '../live-columns/column-service.ts';
import { findForColumns } from '../live-columns/found.ts';
import {
  countSelected,
  type FacetField,
  type FacetRow,
  findNamed,
  isNamed,
  maxValues,
  namePeople,
  nameValues,
  type Reads,
} from './facet-queries.ts';
import { isLasting } from './figure-cache.ts';
import { selectFindings } from './select-findings.ts';

type FacetValue = { value: string; label: string | null; count: number };
type Facet = { field: FacetField; more: boolean; values: FacetValue[] };
/** The counts of fields that share the same filters, or those of a response. */
type Facets = { total: number; facets: Facet[] };

/** Returns the values of a small set, in its own order: all are returned, even without findings. */
function fixedValues(field: FacetField): readonly string[] | undefined {
  const { control } = table[field];
  return control.kind === 'choice' && control.closed ? control.values?.map(({ value }) => value) : undefined;
}

function facetOf(field: FacetField, rows: FacetRow[], text: string | undefined): Facet {
  const fixed = fixedValues(field);
  const counts = new Map(
    rows
      .filter((row) => row.field === field)
      .map((row) => [field === 'severity' ? severityName(Number(row.value)) : row.value, row.count]),
  );
  // The statement that counts other fields has filtered their values already, by name too.
  const isChosen = (value: string) => text === undefined || !fixed || value.toLowerCase().includes(text.toLowerCase());
  const names = (fixed ?? [...counts.keys()]).filter(isChosen);
  const values = names.slice(0, maxValues).map((value) => ({ value, label: null, count: counts.get(value) ?? 0 }));
  return { field, more: names.length > maxValues, values };
}

const facetsOf = (total: number, rows: FacetRow[], fields: FacetField[], text: string | undefined): Facets => ({
  total,
  facets: fields.map((field) => facetOf(field, rows, text)),
});

/** A request: the fields to count, and a text that their values must contain. */
type Question = { fields: FacetField[]; text?: string | undefined; signal?: AbortSignal | undefined };

/** Counts fields under the same filters. */
async function evaluate(
  database: Database,
  orgId: string,
  filters: FindingFilters,
  { fields, ...asked }: Question,
): Promise<Facets> {
  const fact = fields.map((field) => table[field].facet?.fact).find((sql) => sql !== undefined);
  const rows = await countSelected(database, orgId, selectFindings(orgId, filters, fact), fields, asked);
  return facetsOf(rows.find((row) => row.field === 'all')!.count, rows, fields, asked.text);
}

/** Sets the labels of values to the names that `nameOf` returns. */
const labelled = (facet: Facet, nameOf: (value: string) => string | undefined): Facet => ({
  ...facet,
  values: facet.values.map((value) => ({ ...value, label: nameOf(value.value) ?? null })),
});

async function label(reads: Reads, orgId: string, facets: Facet[]): Promise<Facet[]> {
  const values = facets.flatMap(({ field, values: counted }) => counted.map(({ value }) => ({ field, value })));
  const names = await nameValues(reads, orgId, values);
  if (names.size === 0) return facets;
  return facets.map((facet) => labelled(facet, (value) => names.get(`${facet.field} ${value}`)));
}

const isOfPeople = ({ field }: Facet) => isNamed(field, 'person');

/** Adds the names of people. They are not cached, since they can change at any time. */
export async function labelPeople(database: Database, orgId: string, facets: Facets): Promise<Facets> {
  const ids = facets.facets.filter(isOfPeople).flatMap(({ values }) => values.map(({ value }) => value));
  if (ids.length === 0) return facets;
  const names = await namePeople(database, orgId, ids);
  return {
    ...facets,
    facets: facets.facets.map((facet) => (isOfPeople(facet) ? labelled(facet, (id) => names.get(id)) : facet)),
  };
}

/** Counts in columns; null if columns aren't available. */
async function countInColumns(
  database: Database,
  columns: ColumnService,
  orgId: string,
  filters: FindingFilters,
  { fields, text, signal }: Question,
): Promise<Facets | null> {
  // Anyone can be an assignee, including former members: the text is matched against the names of actual assignees.
  if (text !== undefined && fields.some((field) => isNamed(field, 'person'))) return null;
  const found = await findForColumns(database, columns, orgId, filters, signal);
  if (found === null) return null;
  const named = text === undefined ? {} : await findNamed(database, orgId, fields, text);
  const counted = await columns.ask(orgId, 'countFacets', filters, fields, {
    limit: maxValues + 1,
    text,
    named,
    found,
  });
  return counted && facetsOf(counted.total, counted.rows, fields, text);
}

/**
 * Counts the values of fields, each under all filters but its own, and the findings that match all filters. Returns at
 * most `maxValues` values per field, those with the largest counts, whose text or name contains `text`. People have no
 * names yet.
 */
export async function countFacets(
  database: Database,
  orgId: string,
  filters: FindingFilters,
  question: Question & { columns: ColumnService },
): Promise<Facets> {
  const inColumns = await countInColumns(database, question.columns, orgId, filters, question);
  if (inColumns === null) return countBySql(database, orgId, filters, question);
  if (question.text === undefined && isLasting(filters))
    void question.columns.compare(orgId, (primary) => isAsBySql(primary, orgId, filters, question));
  return { ...inColumns, facets: await label({ database, columns: question.columns }, orgId, inColumns.facets) };
}

/** Returns whether columns and SQL give the same counts; null if something changed meanwhile. */
async function isAsBySql(
  database: Database,
  orgId: string,
  filters: FindingFilters,
  question: Question & { columns: ColumnService },
): Promise<boolean | null> {
  const before = await readChangeNumber(database, orgId);
  const counted = await countInColumns(database, question.columns, orgId, filters, question);
  const { signal: _, ...asked } = question;
  const bySql = await countBySql(database, orgId, filters, asked);
  if (counted === null || (await readChangeNumber(database, orgId)) !== before) return null;
  const facets = await label({ database, columns: question.columns }, orgId, counted.facets);
  return isDeepStrictEqual([bySql.total, bySql.facets], [counted.total, facets]);
}

async function countBySql(
  database: Database,
  orgId: string,
  filters: FindingFilters,
  { fields, columns, ...asked }: Question & { columns: ColumnService },
): Promise<Facets> {
  const isFiltered = (field: FacetField) => filters[field] !== undefined || filters.excluded?.[field] !== undefined;
  const count = (under: FindingFilters, some: FacetField[]) =>
    evaluate(database, orgId, under, { fields: some, ...asked });
  const [base, ...own] = await Promise.all([
    count(
      filters,
      fields.filter((field) => !isFiltered(field)),
    ),
    ...fields.filter(isFiltered).map((field) => count(withoutFilter(filters, field), [field])),
  ]);
  const facets = await label(
    { database, columns },
    orgId,
    [base!, ...own].flatMap((evaluation) => evaluation.facets),
  );
  const inOrder = fields.map((field) => facets.find((facet) => facet.field === field)!);
  return { ...base!, facets: inOrder };
}
