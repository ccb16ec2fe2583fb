import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';

/** The kinds of work that use processor time. Statements are charged as `database`, whichever process runs them. */
export const costKinds = ['admission', 'parsing', 'validation', 'handler', 'serialisation', 'database'] as const;
export type CostKind = (typeof costKinds)[number];
type Milliseconds = Record<CostKind, number>;

/** The caller that pays for a request. */
export type Payer = {
  /** Charges the used time, which may exceed the rest of the budget. */
  charge(used: Readonly<Milliseconds>): void;
  /** Throws 429 when the budget is used up. */
  require(): void;
};

export const noCost = (): Milliseconds => ({
  admission: 0,
  parsing: 0,
  validation: 0,
  handler: 0,
  serialisation: 0,
  database: 0,
});

/** A request is charged in instalments of this size, and at its end. */
const usualInstalmentMs = 20;

/**
 * The processor time of a request. Until a payer is known it is free: a request that is refused before then costs
 * nothing.
 */
export class RequestCost {
  #used = noCost();
  #unpaidMs = 0;
  #payer: Payer | null = null;
  #onRefusal: () => void = () => {};
  #instalmentMs = usualInstalmentMs;
  #hasConnected = false;

  add(kind: CostKind, ms: number): void {
    this.#used[kind] += ms;
    this.#unpaidMs += ms;
    if (this.#unpaidMs >= this.#instalmentMs) this.#charge();
  }

  /** Charges all past and future use of the request. `onRefusal` is called if the request is refused later. */
  open(payer: Payer, onRefusal: () => void): void {
    this.#payer = payer;
    this.#onRefusal = onRefusal;
  }

  #charge(): void {
    if (this.#payer === null || this.#unpaidMs === 0) return;
    const used = this.#used;
    this.#used = noCost();
    this.#unpaidMs = 0;
    this.#payer.charge(used);
  }

  /** Charges the rest. Work that continues after the request is charged to nobody. */
  close(): void {
    this.#charge();
    this.#payer = null;
  }

  /** From now on, charges at once: the client has disconnected, and nothing signals the end of the handler. */
  abandon(): void {
    this.#instalmentMs = 0;
    this.#charge();
  }

  /**
   * Throws when the caller has used up the budget meanwhile: hundreds of requests can be admitted at the same moment,
   * before the first has cost anything.
   */
  require(): void {
    try {
      this.#payer?.require();
    } catch (error) {
      this.#onRefusal();
      throw error;
    }
  }

  /**
   * Like `require`, but only before the request's first database connection, for which it may have waited. Later
   * statements are not refused, since the request may already have changed something.
   */
  requireOnce(): void {
    if (this.#hasConnected) return;
    this.require();
    this.#hasConnected = true;
  }
}

/**
 * The running request, its kind of work, and since when: a request has the thread to itself until it waits. Measuring
 * takes 25 to 40 µs a request, which is 8 to 10 % of the API's processor time for the cheapest requests.
 */
let running: RequestCost | null = null;
let kind: CostKind = 'handler';
let sinceMs = 0;
let isEnding = false;

/**
 * The share of this thread's busy time in which it had a processor: below 1 on an overloaded machine. It is measured
 * every 100 ms, since reading the thread's processor time takes 2 µs and reading the clock 0.1 µs.
 */
let share = 1;
let lastShareAtMs = 0;
let lastBusy = performance.eventLoopUtilization();
let lastCpu = process.threadCpuUsage();

function measureShare(nowMs: number): void {
  lastShareAtMs = nowMs;
  const busy = performance.eventLoopUtilization();
  const cpu = process.threadCpuUsage();
  const busyMs = busy.active - lastBusy.active;
  const cpuMs = (cpu.user + cpu.system - lastCpu.user - lastCpu.system) / 1000;
  if (busyMs < 1) return;
  share = Math.min(1, cpuMs / busyMs);
  lastBusy = busy;
  lastCpu = cpu;
}

function charge(nowMs: number): void {
  if (running === null) return;
  const elapsedMs = nowMs - sinceMs;
  if (elapsedMs > 20 || nowMs - lastShareAtMs > 100) measureShare(nowMs);
  running.add(kind, elapsedMs * share);
}

function end(): void {
  isEnding = false;
  charge(performance.now());
  running = null;
}

/**
 * Charges the thread's time to this request from here on, until another request resumes or the thread becomes idle.
 * Call it wherever a request continues after a wait.
 */
export function resume(cost: RequestCost, next: CostKind): void {
  if (running === cost && kind === next) return;
  const nowMs = performance.now();
  charge(nowMs);
  running = cost;
  kind = next;
  sinceMs = nowMs;
  if (isEnding) return;
  isEnding = true;
  // A tick queued in a microtask runs after the last microtask: by then, everything that did not have to wait has
  // run.
  queueMicrotask(() => process.nextTick(end));
}

const storage = new AsyncLocalStorage<RequestCost>();

/** Runs a function as part of a request, so that its statements are charged to the request. */
export const asPartOf = <T>(cost: RequestCost | undefined, run: () => T): T => (cost ? storage.run(cost, run) : run());

/** Returns the request that the current code belongs to. */
export const currentCost = (): RequestCost | undefined => storage.getStore();

/**
 * Starts work that serves many requests, such as a timer. Otherwise, all its work would be charged to the request
 * that happens to start it.
 */
export const asPartOfNone = <T>(run: () => T): T => storage.exit(run);
