const shardCount = 64;
const shardBits = 6;
const firstSize = 16;
const maxLoad = 0.8;
const growth = 1.5;
const maxCount = 0xffff;

/** An open-addressed table; a slot whose count is 0 is free. */
type Shard = { memory: ArrayBuffer; high: Uint32Array; low: Uint32Array; counts: Uint16Array; used: number };

function newShard(size: number): Shard {
  const memory = new ArrayBuffer(size * 10);
  const high = new Uint32Array(memory, 0, size);
  const low = new Uint32Array(memory, size * 4, size);
  return { memory, high, low, counts: new Uint16Array(memory, size * 8, size), used: 0 };
}

/**
 * Counts how often a text occurs, in 10 bytes per slot: a million texts take 15 MB, a Map of the texts ten times as
 * much. Stores 64 bits of each: among a million texts the chance of a collision is 1 in 37 million. The table consists
 * of 64 parts that grow one at a time, each by half, so that growing takes hardly more memory than it adds.
 */
export class EqualCounter {
  readonly #shards = Array.from({ length: shardCount }, () => newShard(firstSize));
  /** The counts of texts that don’t fit in a slot. */
  readonly #frequent = new Map<string, number>();

  /** Counts this text. Returns its number of earlier occurrences. */
  next(text: string): number {
    const [high, low] = hashOf(text);
    const at = high >>> (32 - shardBits);
    let shard = this.#shards[at]!;
    if (shard.used >= shard.counts.length * maxLoad) {
      shard = grown(shard);
      this.#shards[at] = shard;
    }
    const slot = slotOf(shard, high, low);
    const before = shard.counts[slot]!;
    if (before === maxCount) return this.#nextFrequent(text);
    if (before === 0) take(shard, slot, high, low);
    shard.counts[slot] = before + 1;
    return before;
  }

  /** Returns whether this text was counted. */
  has(text: string): boolean {
    const [high, low] = hashOf(text);
    const shard = this.#shards[high >>> (32 - shardBits)]!;
    return shard.counts[slotOf(shard, high, low)] !== 0;
  }

  #nextFrequent(text: string): number {
    const before = this.#frequent.get(text) ?? maxCount;
    this.#frequent.set(text, before + 1);
    return before;
  }
}

/** Returns the slot of this hash, or the free slot where it belongs. */
function slotOf({ high, low, counts }: Shard, highBits: number, lowBits: number): number {
  let slot = Math.floor((lowBits / 2 ** 32) * counts.length);
  while (counts[slot] !== 0 && (low[slot] !== lowBits || high[slot] !== highBits)) {
    slot += 1;
    if (slot === counts.length) slot = 0;
  }
  return slot;
}

function take(shard: Shard, slot: number, highBits: number, lowBits: number): void {
  shard.high[slot] = highBits;
  shard.low[slot] = lowBits;
  shard.used += 1;
}

function grown(old: Shard): Shard {
  const shard = newShard(Math.ceil(old.counts.length * growth));
  for (let at = 0; at < old.counts.length; at += 1) {
    if (old.counts[at] === 0) continue;
    const slot = slotOf(shard, old.high[at]!, old.low[at]!);
    take(shard, slot, old.high[at]!, old.low[at]!);
    shard.counts[slot] = old.counts[at]!;
  }
  // Frees the old table now. Left to garbage collection, old and new tables would exist side by side.
  old.memory.transfer(0);
  return shard;
}

/**
 * 64 bits by two rounds of multiply and mix over the characters (as in cyrb53). Not for security: the hash can be
 * inverted.
 */
function hashOf(text: string): [number, number] {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return [high >>> 0, low >>> 0];
}
