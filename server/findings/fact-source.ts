import type { Db } from '../platform/postgres/database.ts';
import {
  type FactCells,
  factColumns,
  type MergeColumn,
  type MergeRow,
  mergeColumns,
  toCells,
  toFactsRow,
  toParameters,
} from './fact-columns.ts';
import type { FactsRow } from './facts.ts';

/**
 * The facts of a batch, in the order of fingerprints without duplicates. Statements read them as a row of arrays:
 * `table` returns SQL for it, with parameters from the given number on; `values` returns these. Both get the columns
 * that the statement reads. `kind` is a part of the statements' names.
 */
export type FactSource = {
  kind: 'given' | 'staged';
  count: number;
  table(columns: readonly MergeColumn[], firstParameter: number): string;
  values(columns: readonly MergeColumn[]): unknown[];
  /** Returns the rows at these ascending ordinals. */
  read(db: Db, orgId: string, ordinals: number[]): Promise<FactsRow[]>;
  /** Returns the names of vulnerabilities in the rows that have any besides CVEs. */
  named(db: Db, orgId: string): Promise<NamedRow[]>;
};

/** A row of a package that is known by other names than CVEs. It has either `advisories` or CVEs and `aliases`. */
type NamedRow = { ordinal: number; cves: string[]; names: string[] };

const list = (text: string | null): string[] => text?.split(' ') ?? [];

const toNamedRow = (
  { cves, advisories, aliases }: Pick<FactCells, 'cves' | 'advisories' | 'aliases'>,
  ordinal: number,
): NamedRow => ({ ordinal, cves: list(cves), names: list(advisories ?? aliases) });

/** Returns a source whose rows are parameters of each statement. */
export function givenFacts(rows: MergeRow[]): FactSource {
  return {
    kind: 'given',
    count: rows.length,
    table: (columns, first) =>
      `(SELECT ${columns.map((column, index) => `$${first + index}::${mergeColumns[column]}[] AS ${column}`).join(', ')})`,
    values: toParameters(rows),
    read: async (_db, _orgId, ordinals) => ordinals.map((ordinal) => toFactsRow(rows[ordinal]!.cells)),
    named: async () =>
      rows.flatMap(({ cells }, ordinal) =>
        cells.advisories === null && cells.aliases === null ? [] : toNamedRow(cells, ordinal),
      ),
  };
}

const noTexts = { rule: '{}', members: '' };

/** Returns a source of rows in which aliases were resolved. It has no texts: they have been stored. */
export const givenRows = (rows: FactsRow[]): FactSource =>
  givenFacts(rows.map((row) => ({ cells: toCells(row), texts: noTexts, sharedWords: '' })));

const names = Object.keys(factColumns) as Array<keyof typeof factColumns>;

/**
 * Returns a source whose rows are in a table with the columns of `mergeColumns`. `table` is SQL for the batch's row, in
 * which `$1` is the organization, with parameters `values` from the given number on.
 */
export function storedFacts(count: number, table: (firstParameter: number) => string, values: unknown[]): FactSource {
  return {
    kind: 'staged',
    count,
    table: (_columns, first) => table(first),
    values: () => values,
    async read(db, orgId, ordinals) {
      if (ordinals.length === 0) return [];
      // JSON as text, and numbers of 64 bits too: neither fits into the driver's values.
      const cells = names.map((name) =>
        ['json', 'bigint'].includes(factColumns[name]) ? `d.${name}::text AS ${name}` : `d.${name}`,
      );
      const { rows } = await db.query<FactCells>({
        name: 'staged_facts_read',
        text: `SELECT ${cells.join(', ')}
               FROM ${table(3)} b, unnest(${names.map((name) => `b.${name}`).join(', ')}) WITH ORDINALITY AS d(${names.join(', ')}, ordinal)
               WHERE d.ordinal - 1 = ANY($2::bigint[]) ORDER BY d.ordinal`,
        values: [orgId, ordinals, ...values],
      });
      return rows.map(toFactsRow);
    },
    async named(db, orgId) {
      const { rows } = await db.query<FactCells & { ordinal: number }>({
        name: 'staged_facts_names',
        text: `SELECT d.ordinal::integer - 1 AS ordinal, d.cves, d.advisories, d.aliases
               FROM ${table(2)} b, unnest(b.cves, b.advisories, b.aliases) WITH ORDINALITY AS d(cves, advisories, aliases, ordinal)
               WHERE d.advisories IS NOT NULL OR d.aliases IS NOT NULL ORDER BY d.ordinal`,
        values: [orgId, ...values],
      });
      return rows.map((row) => toNamedRow(row, row.ordinal));
    },
  };
}
