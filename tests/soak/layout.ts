/** Random numbers that are the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns a whole number, both bounds included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<T>(values: readonly T[]): T {
    return values[this.between(0, values.length - 1)]!;
  }
}

/**
 * A fault of an installation. When `run` resolves it is over and everything was restarted. It resolves with false
 * when there was nothing to apply the fault to.
 */
export type Fault = {
  name: string;
  /** Whether it kills processes with SIGKILL. */
  isKill: boolean;
  run(random: Random): Promise<unknown>;
};

/** An installation under test: its start, its possible faults, and the addresses of its APIs. */
export type Layout = {
  name: string;
  faults: Fault[];
  /** The faults that could not be tried on this machine, and why. */
  left: string[];
  /** Replaces all nodes by a release with a newer schema, once and under load. */
  upgrade?: Fault;
  /** The host name that it is reached under, if that is not its address. */
  host?: string;
  /** The owner's API token. */
  token: string;
  /** The directory in which repositories are allowed. */
  repositories: string;
  start(): Promise<void>;
  /** Addresses of the APIs. Some may be down. */
  origins(): string[];
  /** The address of the database for its owner, for the final checks. */
  adminUrl(): Promise<string>;
  /** The last lines of each process's output. */
  output(): string;
  remove(): Promise<void>;
};
