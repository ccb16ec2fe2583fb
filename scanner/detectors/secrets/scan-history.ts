import { hash } from 'node:crypto';
import { readBlobs } from '../../repository/blob-reader.ts';
import {
  type BlobChange,
  countCommits,
  listHistory,
  listTree,
  listTreeChanges,
  type Repository,
} from '../../repository/history.ts';
import type { SecretEngine } from './engine.ts';
import { commitMessagePath, type SecretLedger } from './ledger.ts';
import { findSecrets, pause } from './scan-content.ts';
import type { SkippedFiles } from './state.ts';

const words = 4;
const segments = 256;

/**
 * A set of 128-bit keys that needs about 25 bytes per key, so that millions of blobs fit in memory. It grows in 256
 * parts, so that no step takes long.
 */
export class BlobKeySet {
  readonly #tables: Uint32Array[] = Array.from({ length: segments }, () => new Uint32Array(16 * words));
  readonly #counts = new Uint32Array(segments);

  get size(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  has(key: Uint32Array): boolean {
    const table = this.#tables[key[0]! & (segments - 1)]!;
    return table[findSlot(table, key) + words - 1] !== 0;
  }

  /** Adds a key and returns whether it was new. */
  add(key: Uint32Array): boolean {
    const segment = key[0]! & (segments - 1);
    let table = this.#tables[segment]!;
    const slot = findSlot(table, key);
    if (table[slot + words - 1] !== 0) return false;
    table.set(key, slot);
    this.#counts[segment]! += 1;
    if (this.#counts[segment]! * words > table.length * 0.7) {
      const grown = new Uint32Array(table.length * 2);
      for (let at = 0; at < table.length; at += words) {
        if (table[at + words - 1] === 0) continue;
        const old = table.subarray(at, at + words);
        grown.set(old, findSlot(grown, old));
      }
      table = grown;
      this.#tables[segment] = grown;
    }
    return true;
  }
}

/**
 * Returns the slot of the key, or the free slot where it belongs. The last word is 0 in free slots and never in a key.
 */
function findSlot(table: Uint32Array, key: Uint32Array): number {
  const mask = table.length / words - 1;
  let slot = (key[1]! & mask) * words;
  while (table[slot + 3] !== 0) {
    if (
      table[slot] === key[0] &&
      table[slot + 1] === key[1] &&
      table[slot + 2] === key[2] &&
      table[slot + 3] === key[3]
    ) {
      break;
    }
    slot = (slot + words) & (table.length - 1);
  }
  return slot;
}

/**
 * Returns the key of a blob that has been read: a 128-bit hash of its id and its path, since rules may depend on both.
 */
export function blobKey(id: string, path: string): Uint32Array {
  const digest = hash('sha1', path, 'buffer');
  const key = new Uint32Array(words);
  for (let word = 0; word < words; word++) {
    key[word] = Number.parseInt(id.slice(word * 8, word * 8 + 8), 16) ^ digest.readUInt32BE(word * 4);
  }
  if (key[words - 1] === 0) key[words - 1] = 1;
  return key;
}

export type HistoryScan = {
  repository: Repository;
  engine: SecretEngine;
  ledger: SecretLedger;
  head: string;
  /** The head of the last scan, an ancestor of `head`; null for an empty ledger. */
  knownHead: string | null;
  /**
   * The heads of other branches and tags, whose commits are searched too, and the heads up to which they have been
   * searched.
   */
  otherHeads?: string[];
  knownOtherHeads?: string[];
  /** The files that scans up to `knownHead` skipped, which are reported again. */
  knownSkipped?: SkippedFiles;
  /** Whether the head's tree counts as the current state; false if a work tree is searched too. */
  headIsPresent: boolean;
  /** Larger blobs are skipped with a warning. */
  maxBlobBytes: number;
  progress(fraction: number, message: string): void;
};

/** Missing blobs make the scan partial. */
export type HistoryResult = { warnings: string[]; missing: number; skipped: SkippedFiles };

export const missingVersions = (count: number) => `${count} file version(s) are missing from the repository.`;

type Request = BlobChange & {
  commit: string;
  key: Uint32Array;
  introduced: boolean;
  /** The commit's index among the commits to read, for the progress. */
  index: number;
};

/**
 * Searches every version of every file that is reachable from the heads and not from the known ones, and all commit
 * messages, in one pass over the history. Reads a blob once for each of its paths.
 */
export async function scanHistory(scan: HistoryScan): Promise<HistoryResult> {
  const { repository, ledger, knownHead } = scan;
  const { heads, excluded } = rangeOf(scan);
  const total = await countCommits(repository, heads, excluded);
  const present = new BlobKeySet();
  if (scan.headIsPresent) {
    for await (const { path, key } of presentFiles(scan)) {
      if (knownHead) ledger.forgetPresent(path);
      if (key) present.add(key);
    }
  }
  const reading = new Reading(scan, present, total);
  await reading.run(reading.introduced());
  if (scan.headIsPresent) await reading.run(reading.unread());
  return reading.result();
}

const rangeOf = ({ head, knownHead, otherHeads = [], knownOtherHeads = [] }: HistoryScan) => ({
  heads: [head, ...otherHeads],
  excluded: knownHead === null ? [] : [knownHead, ...knownOtherHeads],
});

/**
 * Yields the files of the head's tree, or the differences from the known head's; `key` is null for a path without a
 * regular file now.
 */
async function* presentFiles({ repository, head, knownHead }: HistoryScan) {
  const files = knownHead ? listTreeChanges(repository, knownHead, head) : listTree(repository, head);
  for await (const { id, path } of files) yield { id, path, key: id === null ? null : blobKey(id, path) };
}

class Reading {
  readonly #scan: HistoryScan;
  readonly #present: BlobKeySet;
  readonly #total: number;
  readonly #seen = new BlobKeySet();
  /** Versions with a secret: a version that returns is the newest again. */
  readonly #withHits = new BlobKeySet();
  readonly #underWay = new Set<string>();
  readonly #skipped: SkippedFiles;
  #missing = 0;

  constructor(scan: HistoryScan, present: BlobKeySet, total: number) {
    this.#scan = scan;
    this.#present = present;
    this.#total = total;
    this.#skipped = scan.knownSkipped ? structuredClone(scan.knownSkipped) : { count: 0, named: [] };
  }

  async *introduced(): AsyncGenerator<Request> {
    const { heads, excluded } = rangeOf(this.#scan);
    let index = 0;
    for await (const { commit, isFirst, message, blobs } of listHistory(this.#scan.repository, heads, excluded)) {
      if (isFirst) {
        index++;
        await this.#searchMessage(message, commit);
      }
      for (const blob of blobs) {
        const key = blobKey(blob.id, blob.path);
        if (!this.#seen.add(key) && !this.#withHits.has(key) && !this.#underWay.has(key.join())) continue;
        this.#underWay.add(key.join());
        yield { ...blob, commit, key, introduced: true, index };
      }
    }
  }

  /**
   * A merge can restore an old version of a file from the other side, so that no new commit introduces the current
   * content.
   */
  async *unread(): AsyncGenerator<Request> {
    const index = this.#total;
    for await (const { id, path, key } of presentFiles(this.#scan)) {
      if (!key || !id || !this.#seen.add(key)) continue;
      yield { id, path, commit: this.#scan.head, key, introduced: false, index };
    }
  }

  async run(requests: AsyncGenerator<Request>): Promise<void> {
    const { repository, maxBlobBytes, engine, ledger } = this.#scan;
    for await (const { request, size, content } of readBlobs(repository, requests, maxBlobBytes)) {
      const { key, path, commit, introduced, index } = request;
      this.#scan.progress(index / this.#total, `Searched commit ${index} of ${this.#total}`);
      if (size === null) this.#missing++;
      else if (!content) this.#skip(path, size);
      else {
        const hits = await findSecrets(engine, content, path);
        if (hits.length > 0) {
          this.#withHits.add(key);
          ledger.record(hits, path, { commit, introduced, present: this.#present.has(key) });
        }
      }
      this.#underWay.delete(key.join());
    }
  }

  result(): HistoryResult {
    const warnings: string[] = [];
    const { count, named } = this.#skipped;
    if (count > 0) {
      const names = named.map(({ path, size }) => `${path} (${Math.round(size / 1024 ** 2)} MiB)`).join(', ');
      const bound = Math.round(this.#scan.maxBlobBytes / 1024 ** 2);
      warnings.push(`${count} file version(s) larger than ${bound} MiB were not searched: ${names}`);
    }
    if (this.#missing > 0) warnings.push(missingVersions(this.#missing));
    return { warnings, missing: this.#missing, skipped: this.#skipped };
  }

  #skip(path: string, size: number) {
    this.#skipped.count++;
    if (this.#skipped.named.length < 10) this.#skipped.named.push({ path, size });
  }

  async #searchMessage(message: string, commit: string): Promise<void> {
    const hits = await findSecrets(this.#scan.engine, Buffer.from(message), commitMessagePath);
    if (hits.length > 0) {
      this.#scan.ledger.record(hits, commitMessagePath, { commit, introduced: true, present: false });
    }
    await pause();
  }
}
