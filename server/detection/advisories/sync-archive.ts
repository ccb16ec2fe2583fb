import { readAdvisory } from '@assay/scanner/advisories/read-advisory.ts';
import { readArchive } from '@assay/scanner/advisories/read-archive.ts';
import type { Advisory } from '@assay/scanner/contract/advisory.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { deleteAdvisories, listModified, putAdvisories } from './queries.ts';

/** `unreadable` advisories keep their previous version. */
export type ArchiveCounts = { added: number; changed: number; removed: number; unchanged: number; unreadable: number };

/** Opens a transaction. The caller adds a check that it still owns the sync. */
export type Transact = <T>(run: (tx: Db) => Promise<T>) => Promise<T>;

const advisoriesPerBatch = 500;
const removalsPerBatch = 2_000;

/**
 * Synchronises an ecosystem with its archive: new and changed advisories are written, withdrawn and missing ones are
 * deleted. Works in several atomic transactions, and continues when it is run again after a crash. Throws a sentence
 * when the file is not an archive of advisories; nothing is deleted then.
 */
export async function syncArchive(
  transact: Transact,
  ecosystem: string,
  file: string,
  signal: AbortSignal,
  progress: (read: number) => void,
): Promise<ArchiveCounts> {
  const kept = await transact((tx) => listModified(tx, ecosystem));
  const counts: ArchiveCounts = { added: 0, changed: 0, removed: 0, unchanged: 0, unreadable: 0 };
  const present = new Set<string>();
  let batch: Advisory[] = [];
  const write = async () => {
    const writing = batch;
    batch = [];
    if (writing.length > 0) await transact((tx) => putAdvisories(tx, ecosystem, writing));
  };
  let read = 0;
  for await (const { name, text } of readArchive(file, signal)) {
    progress(++read);
    const advisory = tryRead(text);
    if (advisory === undefined) {
      counts.unreadable++;
      present.add(name.replace(/^.*\/|\.json$/g, ''));
    }
    if (!advisory || present.has(advisory.id)) continue;
    present.add(advisory.id);
    const before = kept.get(advisory.id);
    counts[before === undefined ? 'added' : before === advisory.modified ? 'unchanged' : 'changed']++;
    if (before !== advisory.modified) batch.push(advisory);
    if (batch.length >= advisoriesPerBatch) await write();
  }
  await write();
  if (counts.added + counts.changed + counts.unchanged === 0) throw new Error('It contains no advisories.');
  const gone = [...kept.keys()].filter((id) => !present.has(id));
  for (let start = 0; start < gone.length; start += removalsPerBatch) {
    signal.throwIfAborted();
    await transact((tx) => deleteAdvisories(tx, ecosystem, gone.slice(start, start + removalsPerBatch)));
  }
  counts.removed = gone.length;
  return counts;
}

/** Returns null for a withdrawn advisory, undefined for an unreadable one. */
function tryRead(text: string | null): Advisory | null | undefined {
  try {
    return text === null ? undefined : readAdvisory(text);
  } catch {
    return undefined;
  }
}
