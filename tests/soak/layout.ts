import type { Random } from './random.ts';

/** Something that goes wrong with an installation. It has passed when `run` resolves: everything was started again. */
export type Fault = {
  name: string;
  /** Whether it ends processes with SIGKILL. */
  isKill: boolean;
  run(random: Random): Promise<void>;
};

/** An installation under test: how it is started, what can happen to it, and where its APIs listen. */
export type Layout = {
  name: string;
  faults: Fault[];
  /** What could not be tried on this machine, and why. */
  left: string[];
  /** Of the owner. */
  token: string;
  /** Where repositories may lie. */
  repositories: string;
  start(): Promise<void>;
  /** Addresses of the APIs. Some may be down. */
  origins(): string[];
  /** The database as its owner: for looking behind the API at the end. */
  adminUrl(): Promise<string>;
  /** The last lines that each process wrote. */
  output(): string;
  remove(): Promise<void>;
};
