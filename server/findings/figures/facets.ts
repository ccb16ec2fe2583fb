import { criticalities } from '../../data-sources/importance.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { ExcludableFilter, FindingFilters } from '../filters.ts';
import { statuses } from '../lifecycle.ts';
import { isKept, withoutFilter } from '../listing/filter-shape.ts';
import { severities, severityName } from '../severity.ts';
import {
  countKept,
  countSelected,
  type FacetField,
  type FacetRow,
  maxIdentified,
  maxValues,
  namePeople,
  nameValues,
} from './facet-queries.ts';
import { maxCounted, measureOnce, selectFindings } from './select-findings.ts';

type FacetValue = { value: string; label: string | null; count: number };
type Facet = { field: FacetField; approximate: boolean; more: boolean; values: FacetValue[] };
type Facets = { total: number; approximate: boolean; facets: Facet[] };

/** The counts of fields that have the same filters. */
type Evaluation = { total: number; approximate: boolean; facets: Facet[] };

const filterOf: Record<FacetField, Exclude<keyof FindingFilters, 'excluded'>> = {
  severity: 'severity',
  status: 'status',
  source: 'source',
  data_source: 'dataSource',
  data_source_tag: 'dataSourceTag',
  owner: 'owner',
  criticality: 'criticality',
  rule: 'rule',
  tag: 'tag',
  assignee: 'assignee',
  identifier: 'identifier',
};
const keptFields: readonly FacetField[] = [
  'severity',
  'status',
  'source',
  'data_source',
  'data_source_tag',
  'owner',
  'criticality',
];

/** These are few and have their own order: all of them are returned, even those without findings. */
const fixed: Partial<Record<FacetField, readonly string[]>> = {
  severity: severities,
  status: statuses,
  criticality: criticalities.toReversed(),
};

function facetOf(field: FacetField, rows: FacetRow[], approximate: boolean, text: string | undefined): Facet {
  const counts = new Map(
    rows
      .filter((row) => row.field === field)
      .map((row) => [field === 'severity' ? severityName(Number(row.value)) : row.value, row.count]),
  );
  const contains = (value: string) => text === undefined || value.includes(text.toLowerCase());
  const names = fixed[field]?.filter(contains) ?? [...counts.keys()];
  const values = names.slice(0, maxValues).map((value) => ({ value, label: null, count: counts.get(value) ?? 0 }));
  return { field, approximate, more: names.length > maxValues, values };
}

function evaluationOf(rows: FacetRow[], fields: FacetField[], approximate: boolean, text?: string): Evaluation {
  const total = rows.find((row) => row.field === 'all')!.count;
  return { total, approximate, facets: fields.map((field) => facetOf(field, rows, approximate, text)) };
}

/** A request: the fields to count, and a text that their values must contain. */
type Question = { fields: FacetField[]; text?: string | undefined };

async function evaluateSelected(
  database: Database,
  orgId: string,
  filters: FindingFilters,
  { fields, text }: Question,
  limit = maxCounted,
  measure = measureOnce(database, orgId, filters),
): Promise<Evaluation> {
  const selection = await selectFindings(database, orgId, filters, limit, measure);
  const rows = await countSelected(database, orgId, selection, fields, text);
  const all = rows.find((row) => row.field === 'all')!;
  const scale = selection.scale({ count: all.count, lastSpot: Number(all.value) });
  const scaled = rows.map((row) => ({ ...row, count: Math.round(row.count * scale) }));
  return evaluationOf(scaled, fields, selection.sampled, text);
}

/** Makes estimates add up to a total that is known. */
function fitted(estimates: Evaluation, total: number): Facet[] {
  const ratio = estimates.approximate && estimates.total > 0 ? total / estimates.total : 1;
  return estimates.facets.map((facet) => ({
    ...facet,
    values: facet.values.map((value) => ({ ...value, count: Math.round(value.count * ratio) })),
  }));
}

/** Counts fields under the same filters: with the kept figures where possible, otherwise from findings. */
async function evaluate(
  database: Database,
  orgId: string,
  filters: FindingFilters,
  { fields, text }: Question,
): Promise<Evaluation> {
  const measure = measureOnce(database, orgId, filters);
  const select = (some: FacetField[], limit?: number) =>
    evaluateSelected(database, orgId, filters, { fields: some, text }, limit, measure);
  const identified = fields.filter((field) => field === 'identifier');
  const identifying = identified.length > 0 ? select(identified, maxIdentified) : null;
  const kept = isKept(filters);
  const quick = fields.filter((field) => kept && keptFields.includes(field));
  const rest = fields.filter((field) => !quick.includes(field) && field !== 'identifier');
  const [base, others, identifiers] = await Promise.all([
    kept
      ? countKept(database, orgId, filters, quick, text).then((rows) => evaluationOf(rows, quick, false, text))
      : select(rest),
    kept && rest.length > 0 ? select(rest) : null,
    identifying,
  ]);
  const estimated = [others, identifiers].flatMap((evaluation) => (evaluation ? fitted(evaluation, base.total) : []));
  return { ...base, facets: [...base.facets, ...estimated] };
}

/** Sets the labels of values by the name that `nameOf` has for them. */
const labelled = (facet: Facet, nameOf: (value: string) => string | undefined): Facet => ({
  ...facet,
  values: facet.values.map((value) => ({ ...value, label: nameOf(value.value) ?? null })),
});

async function label(database: Database, orgId: string, facets: Facet[]): Promise<Facet[]> {
  const idsOf = (field: FacetField) => facets.find((facet) => facet.field === field)?.values.map(({ value }) => value);
  const ids = { data_source: idsOf('data_source') ?? [], rule: idsOf('rule') ?? [] };
  if (ids.data_source.length + ids.rule.length === 0) return facets;
  const names = await nameValues(database, orgId, ids);
  return facets.map((facet) => labelled(facet, (value) => names.get(`${facet.field} ${value}`)));
}

const isOfPeople = ({ field }: Facet) => field === 'assignee' || field === 'owner';

/** Adds the names of people, who may change them at any time. */
export async function labelPeople(database: Database, orgId: string, facets: Facets): Promise<Facets> {
  const ids = facets.facets.filter(isOfPeople).flatMap(({ values }) => values.map(({ value }) => value));
  if (ids.length === 0) return facets;
  const names = await namePeople(database, orgId, ids);
  return {
    ...facets,
    facets: facets.facets.map((facet) => (isOfPeople(facet) ? labelled(facet, (id) => names.get(id)) : facet)),
  };
}

/**
 * Counts the values of fields, each under the filters except its own, and the findings that all filters select. Returns
 * at most `maxValues` values of a field, those with the largest counts, which contain `text` or whose name does. People
 * have no names yet.
 */
export async function countFacets(
  database: Database,
  orgId: string,
  filters: FindingFilters,
  { fields, text }: Question,
): Promise<Facets> {
  const isFiltered = (field: FacetField) =>
    filters[filterOf[field]] !== undefined || filters.excluded?.[filterOf[field] as ExcludableFilter] !== undefined;
  const shared = fields.filter((field) => !isFiltered(field));
  const [base, ...own] = await Promise.all([
    evaluate(database, orgId, filters, { fields: shared, text }),
    ...fields
      .filter(isFiltered)
      .map((field) => evaluate(database, orgId, withoutFilter(filters, filterOf[field]), { fields: [field], text })),
  ]);
  const facets = await label(
    database,
    orgId,
    [base!, ...own].flatMap((evaluation) => evaluation.facets),
  );
  const inOrder = fields.map((field) => facets.find((facet) => facet.field === field)!);
  return { total: base!.total, approximate: base!.approximate, facets: inOrder };
}
