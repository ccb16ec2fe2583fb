/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  // The last characters hardly change the upper bits by themselves.
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** Returns the name whose hash with the key is the largest: a name that is added or removed moves only its own keys. */
function choose(key: string, names: readonly string[]): string | undefined {
  let chosen: string | undefined;
  let largest = -1;
  for (const name of names) {
    const value = hash(`${name} ${key}`);
    if (value <= largest) continue;
    largest = value;
    chosen = name;
  }
  return chosen;
}

/**
 * Chooses the replica of each credential, the same on every node, so that what a credential reads never goes back in
 * time. When the replicas in service change, those who move to another one read from the primary for `settleMs`: by
 * then the other replica has replayed all that they can have read.
 */
export class Placement {
  readonly #settleMs: number;
  #current: readonly string[];
  #earlier: { until: number; names: readonly string[] }[] = [];

  /** `expected` are all replicas: another node may use them already. */
  constructor(expected: readonly string[], settleMs: number) {
    this.#current = expected;
    this.#settleMs = settleMs;
  }

  /** Sets the replicas that are in service from now on. */
  update(names: readonly string[], now: number): void {
    this.#earlier = this.#earlier.filter(({ until }) => until > now);
    if (names.join() === this.#current.join()) return;
    this.#earlier.push({ until: now + this.#settleMs, names: this.#current });
    this.#current = names;
  }

  /** Returns the replica from which a credential reads; undefined for the primary. */
  of(credential: string, now: number): string | undefined {
    const chosen = choose(credential, this.#current);
    const moves = this.#earlier.some(({ until, names }) => {
      const before = until > now ? choose(credential, names) : undefined;
      return before !== undefined && before !== chosen;
    });
    return moves ? undefined : chosen;
  }
}
