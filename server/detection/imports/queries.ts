import type { Suppression } from '@assay/scanner/contract/suppression.ts';
import type { Gaps } from '@assay/scanner/readers/format.ts';
import { type MergeRow, mergeColumnNames, mergeColumns, toParameters } from '../../findings/fact-columns.ts';
import { type FactSource, storedFacts } from '../../findings/fact-source.ts';
import { lookUpByIndex } from '../../findings/policy-queries.ts';
import { recordTexts } from '../../findings/shared-texts.ts';
import { findInCells } from '../../platform/postgres/cells/cell-database.ts';
import { type Database, type Db, sentTogether } from '../../platform/postgres/database.ts';
import { withoutWaiting } from '../../platform/postgres/statement.ts';

/** Thrown when the received batches no longer exist. The message is for readers of the scan. */
export class BatchesMissing extends Error {
  override message = 'The received part of the file is lost. Send the file again.';
}

/** A decision on a detection that was made elsewhere. */
export type Suppressed = { fingerprint: string; suppression: Suppression };

/** A part of a received file with results of one source, as rows in the order of fingerprints, without duplicates. */
export type ImportBatch = { source: string; rows: MergeRow[]; suppressed: Suppressed[] };

/** The result of a merged batch. */
export type BatchTally = Record<'new' | 'seen' | 'reopened', number>;

/**
 * A batch of an import. `suppresses` means that it contains results that were decided elsewhere; `merged` is null
 * until it is merged.
 */
export type StagedBatch = { sequence: number; source: string; suppresses: boolean; merged: BatchTally | null };

/** The order to merge a received file, stored until it is merged. */
export type ImportOrder = {
  batches: number;
  /** The detection sources that the file covers. */
  sources: string[];
  closeMissing: boolean;
  /** The reasons why the file closes nothing; empty when it may. */
  incomplete: string[];
  /** The gaps of individual sources: see `Gaps`. */
  gaps: Record<string, Gaps>;
  /** Sentences about results whose texts were truncated. */
  cut: string[];
};

export async function insertImport(
  tx: Db,
  orgId: string,
  { scanId, dataSourceId }: { scanId: string; dataSourceId: string },
  { batches, sources, closeMissing, incomplete, gaps, cut }: ImportOrder,
): Promise<void> {
  await tx.query({
    name: 'import_insert',
    text: `INSERT INTO imports (org_id, scan_id, data_source_id, batches, sources, close_missing, incomplete, gaps, cut)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [orgId, scanId, dataSourceId, batches, sources, closeMissing, incomplete, JSON.stringify(gaps), cut],
  });
}

export async function findImport(database: Database, orgId: string, scanId: string): Promise<ImportOrder | undefined> {
  const [row] = await database.single<ImportOrder>(orgId, {
    name: 'import_find',
    text: `SELECT batches, sources, close_missing AS "closeMissing", incomplete, gaps, cut FROM imports
           WHERE org_id = $1 AND scan_id = $2`,
    values: [orgId, scanId],
  });
  return row;
}

const insertBatch = `INSERT INTO import_batches (org_id, scan_id, sequence, source, suppressed, ${mergeColumnNames.join(', ')})
  VALUES ($1, $2, $3, $4, $5, ${mergeColumnNames.map((column, index) => `$${index + 6}::${mergeColumns[column]}[]`).join(', ')})`;

/** SQL for the row of a batch, whose import and number are parameters from the given number on. */
const batchRow = (first: number) =>
  `(SELECT * FROM import_batches WHERE org_id = $1 AND scan_id = $${first} AND sequence = $${first + 1})`;

/**
 * Stores a batch and its texts, which takes a third of a merge, while the rest of the file is being read. No response
 * shows texts without a finding; the next purge removes those of a refused file. The merge checks that they are there.
 */
export async function insertImportBatch(
  database: Database,
  orgId: string,
  scanId: string,
  sequence: number,
  { source, rows, suppressed }: ImportBatch,
): Promise<void> {
  const statement = {
    name: 'import_batch_insert',
    text: insertBatch,
    values: [orgId, scanId, sequence, source, JSON.stringify(suppressed), ...toParameters(rows)(mergeColumnNames)],
  };
  await database.transaction(orgId, (tx) =>
    sentTogether([
      tx.query(withoutWaiting),
      tx.query(statement),
      tx.query(lookUpByIndex),
      recordTexts(tx, orgId, storedFacts(rows.length, batchRow, [scanId, sequence])),
    ]),
  );
}

/** Lists the batches of an import by number. */
export async function listImportBatches(database: Database, orgId: string, scanId: string): Promise<StagedBatch[]> {
  return database.single<StagedBatch>(orgId, {
    name: 'import_batches_list',
    text: `SELECT sequence, source, suppressed <> '[]' AS suppresses,
             CASE WHEN merged_new IS NOT NULL THEN json_build_object('new', merged_new, 'seen', merged_seen,
               'reopened', merged_reopened) END AS merged
           FROM import_batches WHERE org_id = $1 AND scan_id = $2 ORDER BY sequence`,
    values: [orgId, scanId],
  });
}

/**
 * Records the result of a batch in the transaction that merged it, so that an interrupted import continues after it.
 */
export async function updateMergedBatch(
  tx: Db,
  orgId: string,
  scanId: string,
  sequence: number,
  tally: BatchTally,
): Promise<void> {
  await tx.query({
    name: 'import_batch_merged',
    text: `UPDATE import_batches SET merged_new = $4, merged_seen = $5, merged_reopened = $6
           WHERE org_id = $1 AND scan_id = $2 AND sequence = $3`,
    values: [orgId, scanId, sequence, tally.new, tally.seen, tally.reopened],
  });
}

/** Finds the fingerprints and suppressions of a batch, and its facts as a source that the database reads itself. */
export async function findImportBatch(
  tx: Db,
  orgId: string,
  scanId: string,
  sequence: number,
): Promise<{ fingerprints: string[]; suppressed: Suppressed[]; facts: FactSource }> {
  const { rows } = await tx.query<Record<'fingerprints' | 'suppressed', string>>({
    name: 'import_batch_find',
    text: `SELECT array_to_string(fingerprint, ' ') AS fingerprints, suppressed FROM import_batches
           WHERE org_id = $1 AND scan_id = $2 AND sequence = $3`,
    values: [orgId, scanId, sequence],
  });
  if (!rows[0]) throw new BatchesMissing();
  const fingerprints = rows[0].fingerprints.split(' ');
  return {
    fingerprints,
    suppressed: JSON.parse(rows[0].suppressed),
    facts: storedFacts(fingerprints.length, batchRow, [scanId, sequence]),
  };
}

/** Returns the fingerprints of a batch. */
export async function listFingerprints(
  database: Database,
  orgId: string,
  scanId: string,
  sequence: number,
): Promise<string[]> {
  const rows = await database.single<{ fingerprints: string }>(orgId, {
    name: 'import_fingerprints_list',
    text: `SELECT array_to_string(fingerprint, ' ') AS fingerprints FROM import_batches
           WHERE org_id = $1 AND scan_id = $2 AND sequence = $3`,
    values: [orgId, scanId, sequence],
  });
  if (!rows[0]) throw new BatchesMissing();
  return rows[0].fingerprints.split(' ');
}

/** Deletes the batches of a received file. */
export async function deleteImport(db: Db, orgId: string, scanId: string): Promise<void> {
  await db.query({ text: 'DELETE FROM import_batches WHERE org_id = $1 AND scan_id = $2', values: [orgId, scanId] });
  await db.query({ text: 'DELETE FROM imports WHERE org_id = $1 AND scan_id = $2', values: [orgId, scanId] });
}

/** Deletes the batches of imports that never became a scan, of all organizations. */
export async function purgeImportBatches(database: Database, olderThanMs: number): Promise<void> {
  await database.single(null, {
    text: `SELECT purge_import_batches(clock_timestamp() - $1 * interval '1 millisecond')`,
    values: [olderThanMs],
  });
}

/** Returns the organization of a data source that is not deleted; for the operator's command line only. */
export async function findOrganizationOfDataSource(database: Database, dataSourceId: string): Promise<string | null> {
  const found = await findInCells(database, async (cell) => {
    const [row] = await cell.single<{ org: string | null }>(null, {
      text: 'SELECT organization_of_data_source($1) AS org',
      values: [dataSourceId],
    });
    return row?.org;
  });
  return found ?? null;
}
