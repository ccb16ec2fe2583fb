import type { ImportedDetection } from '@assay/scanner/readers/format.ts';
import { type MergeRow, sizeOfRow, toMergeRow } from '../../findings/fact-columns.ts';
import { hashDetection } from '../../findings/facts.ts';
import type { ImportBatch, Suppressed } from './queries.ts';

const detectionsPerBatch = 2_000;
/**
 * The corresponding limit in characters of rows. A batch is in memory several times while it is sent to the database.
 */
const charactersPerBatch = 1_440_000;
/**
 * The total size of all open batches, in characters: a file may name any number of sources, each with its own
 * batches.
 */
const maxOpenCharacters = 4 * charactersPerBatch;

/**
 * The number of batches that are merged in parallel. Batches of different lanes share no fingerprint, so they never
 * wait for each other's rows.
 */
export const lanes = 2;

const laneOf = (fingerprint: string): number => fingerprint.charCodeAt(fingerprint.length - 1) % lanes;

/**
 * A batch of one source and lane that is being filled. The larger columns of its rows are text, which takes a fraction
 * of the objects' memory.
 */
type OpenBatch = { lane: number; source: string; rows: MergeRow[]; characters: number; suppressed: Suppressed[] };

function add(batch: OpenBatch, detection: ImportedDetection): void {
  const { suppression } = detection;
  const row = toMergeRow(hashDetection(detection));
  batch.rows.push(row);
  batch.characters += sizeOfRow(row);
  if (suppression) batch.suppressed.push({ fingerprint: row.cells.fingerprint, suppression });
}

async function* regroup(groups: AsyncIterable<ImportedDetection[]>): AsyncGenerator<OpenBatch> {
  const open = new Map<string, OpenBatch>();
  let characters = 0;
  const largest = () => [...open.entries()].reduce((a, b) => (b[1].characters > a[1].characters ? b : a));
  for await (const group of groups) {
    for (const detection of group) {
      const { source, fingerprint } = detection;
      const lane = laneOf(fingerprint);
      const key = `${lane} ${source}`;
      const batch = open.get(key) ?? { lane, source, rows: [], characters: 0, suppressed: [] };
      if (batch.rows.length === 0) open.set(key, batch);
      const before = batch.characters;
      add(batch, detection);
      characters += batch.characters - before;
      const isFull = batch.rows.length >= detectionsPerBatch || batch.characters >= charactersPerBatch;
      if (!isFull && characters < maxOpenCharacters) continue;
      const [closed, next] = isFull ? [key, batch] : largest();
      open.delete(closed);
      characters -= next.characters;
      yield next;
    }
  }
  yield* open.values();
}

/** Sorts by fingerprint and removes duplicates: the last one wins, as in recordDetections. */
function toImportBatch({ source, rows, suppressed }: OpenBatch): ImportBatch {
  const unique = new Map(rows.map((row) => [row.cells.fingerprint, row]));
  const ordered = [...unique.values()].sort((a, b) => (a.cells.fingerprint < b.cells.fingerprint ? -1 : 1));
  return { source, rows: ordered, suppressed };
}

/**
 * Stages detections in batches, each of one source and lane: number `n` belongs to lane `n % lanes`, and later
 * batches have higher numbers, with gaps. Keeps reading while a batch is being written. Returns the number of
 * batches.
 */
export async function stageBatches(
  groups: AsyncIterable<ImportedDetection[]>,
  insert: (sequence: number, batch: ImportBatch) => Promise<void>,
): Promise<number> {
  const next = Array.from({ length: lanes }, (_, lane) => lane);
  let count = 0;
  let inserting: Promise<unknown> = Promise.resolve();
  try {
    for await (const batch of regroup(groups)) {
      await inserting;
      inserting = insert(next[batch.lane]!, toImportBatch(batch));
      // It is awaited below or in the next round; until then a failure must not be an unhandled rejection.
      inserting.catch(() => {});
      next[batch.lane]! += lanes;
      count += 1;
    }
  } finally {
    // No write may be in progress when the caller deletes the batches of an invalid file.
    await inserting;
  }
  return count;
}
