import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';

/** The kinds of work that use the processor. Statements are charged as `database`, whichever process runs them. */
export const costKinds = ['admission', 'parsing', 'validation', 'handler', 'serialisation', 'database'] as const;
export type CostKind = (typeof costKinds)[number];
type Milliseconds = Record<CostKind, number>;

/** The caller that pays for a request. */
export type Payer = {
  /** Charges for what a request has used. It may be more than is left of the budget. */
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

/** A request is charged when it has used so much more, and at its end. */
const usualInstalmentMs = 20;

/** The processor time of a request. It is free until somebody pays for it: what is refused before costs nothing. */
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

  /** Charges all that the request used and will use. `onRefusal` is called when it is refused after all. */
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

  /** Charges the rest. What still runs because of the request is nobody's. */
  close(): void {
    this.#charge();
    this.#payer = null;
  }

  /** Charges at once from now on: the client has disconnected, and nothing says when the handler is done. */
  abandon(): void {
    this.#instalmentMs = 0;
    this.#charge();
  }

  /**
   * Throws when the caller has used up the budget meanwhile: hundreds of requests can have been admitted at the same
   * moment, before the first of them cost anything.
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
   * Does the same when the request has its first connection to the database, for which it may have waited. Later ones
   * are not refused: something may have been changed.
   */
  requireOnce(): void {
    if (this.#hasConnected) return;
    this.require();
    this.#hasConnected = true;
  }
}

/**
 * A request has one thread to itself until it waits: the request that runs now, what it does, and since when. Measuring
 * takes 25 to 40 µs of a request, 8 to 10 % of the API's processor time for the cheapest ones.
 */
let running: RequestCost | null = null;
let kind: CostKind = 'handler';
let sinceMs = 0;
let isEnding = false;

/**
 * The part of the busy time of this thread in which it had a processor: below 1 when the machine has more to do than
 * processors. It is measured every 100 ms, since reading the thread's processor time takes 2 µs and the clock 0.1 µs.
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
 * Says that code of this request runs from here on, until something else says so, or until the thread has nothing left
 * to do without waiting. Call it wherever a request continues after it waited.
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
  // A tick that is queued by a microtask runs when no microtask is left: all that did not have to wait has run.
  queueMicrotask(() => process.nextTick(end));
}

const storage = new AsyncLocalStorage<RequestCost>();

/** Runs something as a part of a request: its statements are charged to it. */
export const asPartOf = <T>(cost: RequestCost | undefined, run: () => T): T => (cost ? storage.run(cost, run) : run());

/** The request as a part of which this runs. */
export const currentCost = (): RequestCost | undefined => storage.getStore();

/**
 * Starts something that serves many requests, such as a timer: it would otherwise count as a part of the request that
 * happens to start it, for as long as it runs.
 */
export const asPartOfNone = <T>(run: () => T): T => storage.exit(run);
