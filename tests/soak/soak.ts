import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../harness/installation.ts';
import { findFaults, isSettled } from './checks.ts';
import { Client } from './client.ts';
import { Journal } from './journal.ts';
import { type Fault, type Layout, Random } from './layout.ts';
import { startLoad } from './load.ts';

export type SoakOptions = {
  seed: number;
  /** The duration of the fault phase. */
  durationMs: number;
  /** The number of kills, spread evenly over the duration: while fewer have been tried, most faults are kills. */
  maxKills?: number;
  /** Called with a line for each event, to watch the run. */
  say?(text: string): void;
};

export type Outcome = {
  layout: string;
  seed: number;
  seconds: number;
  kills: number;
  /** The number of times that each fault was tried. */
  tried: Record<string, number>;
  left: string[];
  /** The work that was done. */
  counts: Record<string, number>;
  longestMs: number;
  /** The time from the last fault until all work had ended. */
  settledMs: number;
  /** Everything that was lost, duplicated, stuck or failed, and wrong responses. */
  faults: string[];
};

const settlesWithinMs = 90_000;
const maxPauseMs = 3_000;
/**
 * The work that must be done between two faults, so that there is something to lose. A slow machine may not reach it.
 */
const requestsBetweenFaults = 50;
const maxWaitMs = 20_000;
/** A fault or the load that takes longer hangs: the soak goes on to its checks, and fails with the processes' output. */
const faultEndsWithinMs = 240_000;
const loadEndsWithinMs = 200_000;
/** The share of the time after which the installation is upgraded. */
const upgradesAfter = 0.5;
/** The share of faults of any kind while kills are behind schedule. */
const othersWhenBehind = 0.25;

/**
 * Returns the duration of the fault phase for a layout with this many minutes: the rest is for its start, for work in
 * progress at the end, and for the comparison.
 */
export const faultsMs = (minutes: number): number => (minutes - Math.min(4, minutes / 8)) * 60_000;

function within<T>(work: Promise<T>, ms: number): Promise<T> {
  const isOver = new AbortController();
  const late = delay(ms, undefined, { signal: isOver.signal }).then(() => {
    throw new Error(`It did not end within ${ms / 1_000} s.`);
  });
  return Promise.race([work, late]).finally(() => isOver.abort());
}

/**
 * Applies random faults to an installation under load, then compares its data with the changes that it acknowledged.
 */
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
  let isUpgraded = layout.upgrade === undefined;
  const elapsedMs = () => performance.now() - started;
  const killFaults = layout.faults.filter(({ isKill }) => isKill);
  const choose = (): Fault => {
    const [any, kill, isOther] = [
      random.pick(layout.faults),
      random.pick(killFaults),
      random.next() < othersWhenBehind,
    ];
    if (!isUpgraded && elapsedMs() / durationMs > upgradesAfter) {
      isUpgraded = true;
      return layout.upgrade!;
    }
    const isBehind = Number.isFinite(maxKills) && kills < maxKills * (elapsedMs() / durationMs);
    return isBehind && !isOther ? kill : any;
  };
  while ((elapsedMs() < durationMs && kills < maxKills) || !isUpgraded) {
    const served = () => journal.counts['successful requests'] ?? 0;
    const enough = served() + requestsBetweenFaults;
    await eventually(async () => served() >= enough, maxWaitMs).catch(() => {});
    await delay(random.between(200, maxPauseMs));
    // Between few kills there is time to compare many responses.
    await delay(Math.max(0, durationMs * (kills / maxKills) - elapsedMs()));
    const fault = choose();
    const compared = journal.counts['answers compared with SQL'] ?? 0;
    say(`${Math.round(elapsedMs() / 1_000)} s, ${compared} answers compared: ${fault.name}`);
    try {
      if ((await within(fault.run(random), faultEndsWithinMs)) === false) continue;
      tried[fault.name] = (tried[fault.name] ?? 0) + 1;
      if (fault.isKill) kills++;
    } catch (error) {
      journal.problem(`${fault.name}: ${(error as Error).message}`);
    }
  }
  const seconds = Math.round(elapsedMs() / 1_000);
  const settling = performance.now();
  client.isOver = true;
  const givingUp = setTimeout(() => {
    client.isGivenUp = true;
  }, settlesWithinMs);
  await within(Promise.all(load), loadEndsWithinMs).catch((error) => journal.problem(`The load: ${error.message}`));
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
