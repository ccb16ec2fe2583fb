const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const values = new Uint8Array(128).fill(255);
for (let value = 0; value < 32; value++) values[alphabet.charCodeAt(value)] = value;

const prefix = 'fnd_';
const digits = 26;

/** Writes the 128 bits of a finding id as four words that sort like the ids. Throws for any other text. */
export function readId(id: string, words: Uint32Array): void {
  const wrong = () => new Error(`${id} is not a finding id.`);
  if (id.length !== prefix.length + digits || !id.startsWith(prefix)) throw wrong();
  words.fill(0);
  let bit = 130;
  for (let index = prefix.length; index < id.length; index++) {
    const value = values[id.charCodeAt(index)] ?? 255;
    // The first digit has three bits.
    if (value > (index === prefix.length ? 7 : 31)) throw wrong();
    bit -= 5;
    const shift = bit & 31;
    const word = 3 - (bit >> 5);
    words[word]! |= value << shift;
    if (shift > 27 && word > 0) words[word - 1]! |= value >>> (32 - shift);
  }
}

/** Returns the id whose words start at a position. */
export function writeId(words: Uint32Array, at: number): string {
  let id = prefix;
  for (let bit = 125; bit >= 0; bit -= 5) {
    const shift = bit & 31;
    const word = at + 3 - (bit >> 5);
    let value = words[word]! >>> shift;
    if (shift > 27 && word > at) value |= words[word - 1]! << (32 - shift);
    id += alphabet[value & 31];
  }
  return id;
}

export function compareIds(words: Uint32Array, at: number, others: Uint32Array, otherAt: number): number {
  for (let word = 0; word < 4; word++) {
    const difference = words[at + word]! - others[otherAt + word]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

const hashOf = (words: Uint32Array, at: number): number =>
  (Math.imul(words[at + 3]!, 0x9e3779b1) ^ Math.imul(words[at + 2]! ^ words[at + 1]!, 0x85ebca6b)) >>> 0;

/**
 * Finds the row of an id. Most rows arrive in the order of their ids, so that a binary search finds them. The rows from
 * the first one out of order on are in a hash table with open addressing, at most three quarters full.
 */
export class IdTable {
  /** The rows below are in the order of their ids. */
  #ordered = 0;
  /** Row numbers plus one; 0 for a free slot. */
  #places = new Uint32Array(1024);

  get bytes(): number {
    return this.#places.byteLength;
  }

  /** Returns the slot of the id, or the free slot where it belongs. */
  #placeOf(ids: Uint32Array, words: Uint32Array, at: number): number {
    const mask = this.#places.length - 1;
    let place = hashOf(words, at) & mask;
    for (;;) {
      const row = this.#places[place]!;
      if (row === 0 || compareIds(ids, (row - 1) * 4, words, at) === 0) return place;
      place = (place + 1) & mask;
    }
  }

  /** Returns the row of an id; -1 if it is unknown. `ids` has four words per row. */
  find(ids: Uint32Array, words: Uint32Array): number {
    let [low, high] = [0, this.#ordered];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareIds(ids, middle * 4, words, 0) < 0) low = middle + 1;
      else high = middle;
    }
    if (low < this.#ordered && compareIds(ids, low * 4, words, 0) === 0) return low;
    return this.#places[this.#placeOf(ids, words, 0)]! - 1;
  }

  /** Adds the last row. */
  add(ids: Uint32Array, row: number): void {
    if (row === this.#ordered && (row === 0 || compareIds(ids, (row - 1) * 4, ids, row * 4) < 0)) {
      this.#ordered += 1;
      return;
    }
    if ((row + 1 - this.#ordered) * 4 > this.#places.length * 3) {
      this.#places = new Uint32Array(this.#places.length * 2);
      for (let known = this.#ordered; known < row; known++)
        this.#places[this.#placeOf(ids, ids, known * 4)] = known + 1;
    }
    this.#places[this.#placeOf(ids, ids, row * 4)] = row + 1;
  }
}
