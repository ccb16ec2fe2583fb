import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../harness/installation.ts';
import { findFaults, isSettled } from './checks.ts';
import { Client } from './client.ts';
import { Journal } from './journal.ts';
import type { Layout } from './layout.ts';
import { startLoad } from './load.ts';
import { Random } from './random.ts';

export type SoakOptions = {
  seed: number;
  /** How long faults happen. */
  durationMs: number;
  /** Ends earlier after this many processes were killed. */
  maxKills?: number;
  /** Called with what happens, for people who watch. */
  say?(text: string): void;
};

export type Outcome = {
  layout: string;
  seed: number;
  seconds: number;
  kills: number;
  /** How often each fault was tried. */
  tried: Record<string, number>;
  left: string[];
  /** What was done meanwhile. */
  counts: Record<string, number>;
  longestMs: number;
  /** How long it took after the last fault until nothing was under way. */
  settledMs: number;
  /** What was lost, doubled, stuck, failed or was wrong in a response. */
  faults: string[];
};

const settlesWithinMs = 90_000;
const maxPauseMs = 3_000;
/** What the installation does between two faults, so that there is something to lose; on a slow machine it may never get there. */
const requestsBetweenFaults = 50;
const maxWaitMs = 20_000;

/** Lets random faults happen to an installation under load, then compares what it holds with what it acknowledged. */
export async function soak(layout: Layout, options: SoakOptions): Promise<Outcome> {
  const { seed, durationMs, maxKills = Number.POSITIVE_INFINITY, say = () => {} } = options;
  const random = new Random(seed);
  const journal = new Journal();
  const client = new Client(layout, journal);
  await layout.start();
  const load = await startLoad(client, layout, random);
  const started = performance.now();
  const tried: Record<string, number> = {};
  let kills = 0;
  while (performance.now() - started < durationMs && kills < maxKills) {
    const served = () => journal.counts['successful requests'] ?? 0;
    const enough = served() + requestsBetweenFaults;
    await eventually(async () => served() >= enough, maxWaitMs).catch(() => {});
    await delay(random.between(200, maxPauseMs));
    const fault = random.pick(layout.faults);
    say(`${Math.round((performance.now() - started) / 1_000)} s: ${fault.name}`);
    tried[fault.name] = (tried[fault.name] ?? 0) + 1;
    if (fault.isKill) kills++;
    try {
      await fault.run(random);
    } catch (error) {
      journal.problem(`${fault.name}: ${(error as Error).message}`);
    }
  }
  const seconds = Math.round((performance.now() - started) / 1_000);
  const settling = performance.now();
  client.isOver = true;
  const givingUp = setTimeout(() => {
    client.isGivenUp = true;
  }, settlesWithinMs);
  await Promise.all(load);
  await eventually(() => isSettled(client), settlesWithinMs).catch(() => {});
  const settledMs = Math.round(performance.now() - settling);
  clearTimeout(givingUp);
  client.isGivenUp = false;
  const lastChance = setTimeout(() => {
    client.isGivenUp = true;
  }, settlesWithinMs);
  const faults = await findFaults(client, layout);
  clearTimeout(lastChance);
  const problems = [...journal.problems].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`));
  const { counts, longestMs } = journal;
  const { name, left } = layout;
  return {
    layout: name,
    seed,
    seconds,
    kills,
    tried,
    left,
    counts,
    longestMs,
    settledMs,
    faults: [...faults, ...problems],
  };
}
