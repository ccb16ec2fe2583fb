import type { Database, Statement } from '../../platform/postgres/database.ts';
import { planWithoutValues, setLocal } from '../../platform/postgres/statement.ts';
import { Parameters } from '../filter.ts';
import type { SearchText } from '../filters/q.ts';
import { findingsOfScans } from '../filters/scan.ts';
import { preparedByText, selectionOf } from '../filters/select.ts';
import type { FindingFilters } from '../filters/table.ts';
import type { ColumnService } from './column-service.ts';
import type { Found } from './questions.ts';

/** Up to this many findings with a rare word are looked up by id, which takes 10 to 20 µs each. */
const maxRare = 2_000;
/** With more matches, the index of words is not used: reading all findings is as fast. */
const maxByIndex = 200_000;
const maxIds = 10_000;
const countTimeoutMs = 15_000;

/** Runs before a statement that may read all findings of the organization and is planned for its values. */
export const boundedCount = setLocal({ statement_timeout: `${countTimeoutMs}` });

/** Runs a statement for the organization, after `before` in the same transaction. */
export type Run = <Row extends object>(statement: Statement, before: Statement) => Promise<Row[]>;

const planOnce = planWithoutValues();

/** Returns the findings that match a search if one of its words is rare; otherwise null. */
export async function findRare(run: Run, orgId: string, q: SearchText, most = maxRare) {
  const { terms } = q;
  if (terms.length === 0) return { ids: [] };
  const name = 'findings_with_rarest_word';
  const statement = { name, text: `SELECT ${name}($1::text[], $2) AS ids`, values: [terms, most] };
  const [{ ids }] = (await run<{ ids: string[] | null }>(statement, planOnce)) as [{ ids: string[] | null }];
  if (ids === null || ids.length === 0 || terms.length === 1) return ids && { ids };
  const parameters = new Parameters(orgId);
  const text = `SELECT f.id FROM unnest(${parameters.add(ids)}::text[]) AS hit(id)
    CROSS JOIN LATERAL (SELECT * FROM findings WHERE org_id = $1 AND id = hit.id OFFSET 0) f WHERE ${selectionOf({ q }, parameters)}`;
  const rows = await run<{ id: string }>(preparedByText(text, parameters.values), planOnce);
  return { ids: rows.map(({ id }) => id) };
}

/** Returns the findings that match a search without rare words. */
export async function findFrequent(run: Run, orgId: string, q: SearchText, signal?: AbortSignal): Promise<Found> {
  type Row = { numbers: string | null };
  const name = 'numbers_with_all_words';
  const statement = { name, text: `SELECT ${name}($1::text[], $2) AS numbers`, values: [q.terms, maxByIndex] };
  const [few] = await run<Row>(statement, planOnce);
  if (few!.numbers !== null) return { numbers: few!.numbers };
  const parameters = new Parameters(orgId);
  const text = `SELECT string_agg(f.number::text, ',') AS numbers FROM findings f WHERE ${selectionOf({ q }, parameters, true)}`;
  const [all] = await run<Row>({ text, values: parameters.values, signal }, boundedCount);
  return { numbers: all!.numbers ?? '' };
}

async function findOfScans(run: Run, orgId: string, values: string[], signal?: AbortSignal): Promise<Found> {
  const parameters = new Parameters(orgId);
  const text = `SELECT CASE WHEN count <= ${maxIds} THEN ids END AS ids, CASE WHEN count > ${maxIds} THEN numbers END AS numbers FROM (
      SELECT count(*) AS count, COALESCE(array_agg(id) FILTER (WHERE place <= ${maxIds}), '{}') AS ids,
        string_agg(number::text, ',') AS numbers
      FROM (SELECT *, row_number() OVER () AS place FROM (${findingsOfScans(values, parameters)}) found) found) counted`;
  const settings = { enable_seqscan: 'off', statement_timeout: `${countTimeoutMs}` };
  const statement = { ...preparedByText(text, parameters.values), signal };
  const [row] = await run<{ ids: string[] | null; numbers: string }>(statement, planWithoutValues(settings));
  const { ids, numbers } = row!;
  return ids ? { ids } : { numbers };
}

/** Returns the findings of the chosen scans, and of the excluded ones. */
export async function findScans(
  run: Run,
  orgId: string,
  { scan, excluded }: FindingFilters,
  signal?: AbortSignal,
): Promise<Found[]> {
  const found: Found[] = scan ? [await findOfScans(run, orgId, scan, signal)] : [];
  if (excluded?.scan) found.push({ ...(await findOfScans(run, orgId, excluded.scan, signal)), excluded: true });
  return found;
}

/** Returns whether a filter needs data that columns don't have. */
export const needsDatabase = ({ q, scan, excluded }: FindingFilters): boolean =>
  q !== undefined || scan !== undefined || excluded?.scan !== undefined;

/** Returns the findings that match filters on data that columns don't have; null for a small organization. */
export async function findForColumns(
  database: Database,
  columns: ColumnService,
  orgId: string,
  filters: FindingFilters,
  signal?: AbortSignal,
): Promise<Found[] | null> {
  if (!needsDatabase(filters)) return [];
  if (!(await columns.serves(orgId))) return null;
  const run: Run = (statement, before) => database.single(orgId, statement, [before]);
  const found = await findScans(run, orgId, filters, signal);
  const { q } = filters;
  if (q) found.push((await findRare(run, orgId, q)) ?? (await findFrequent(run, orgId, q, signal)));
  return found;
}
