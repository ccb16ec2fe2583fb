import { hash } from 'node:crypto';

const words = 4;
const segments = 256;

/**
 * A set of 128-bit keys that needs about 25 bytes for each, so that millions of blobs fit in memory. It grows in 256
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
