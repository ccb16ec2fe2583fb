import type { Database } from '../../platform/postgres/database.ts';
import { planWithoutValues } from '../../platform/postgres/statement.ts';
import { reportedOf } from '../fact-bits.ts';
import { Parameters } from '../filter.ts';
import { preparedByText, selectionOf } from '../filters/select.ts';
import type { FindingFilters } from '../filters/table.ts';

/** Findings to count, as SQL. */
export type Selection = {
  /** A SELECT of rows with the columns of `selectionColumns`, `reported`, and `fact` if a fact was requested. */
  sql: string;
  /** The parameters of `sql`. A statement that contains it may add more. */
  parameters: Parameters;
};

/** The columns by which figures are counted. */
const selectionColumns = [
  'severity',
  'status',
  'source',
  'data_source_id',
  'rule_id',
  'assignee_id',
  'tags',
  'first_seen_at',
  'seen_last',
  'last_seen_at',
];

/** Counting statements are cancelled after this time. */
const countTimeoutMs = 15_000;

/**
 * Runs before a statement on a selection: the statement is planned once per connection and never reads a whole table,
 * most of which belongs to other organizations.
 */
export const planSelection = planWithoutValues({ enable_seqscan: 'off', statement_timeout: `${countTimeoutMs}` });

/** Selects all matching findings; `fact` is SQL of a fact of the finding `f`. */
export function selectFindings(orgId: string, filters: FindingFilters, fact?: string): Selection {
  const parameters = new Parameters(orgId);
  const columns = [
    ...selectionColumns.map((column) => `f.${column}`),
    `${reportedOf} AS reported`,
    ...(fact ? [`${fact} AS fact`] : []),
  ];
  const sql = `SELECT ${columns.join(', ')} FROM findings f WHERE ${selectionOf(filters, parameters, true)}`;
  return { sql, parameters };
}

/** Runs a statement on a selection. */
export const countRows = <Row extends object>(
  database: Database,
  orgId: string,
  { parameters }: Selection,
  text: string,
  signal?: AbortSignal,
): Promise<Row[]> =>
  database.single<Row>(orgId, { ...preparedByText(text, parameters.values), signal }, [planSelection]);
