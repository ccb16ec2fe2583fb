import type { Log } from './log.ts';

export type Lifecycle = {
  /** Registers how to stop a part that was just started. After `stop` was called, the part is stopped at once. */
  onStop(name: string, stop: () => Promise<void> | void): Promise<void>;
  /** Stops all parts, last started first, even if some fail. Resolves with whether all parts stopped. */
  stop(): Promise<boolean>;
};

type Part = { name: string; stop: () => Promise<void> | void };

/** The time for all parts together: long enough to drain requests and jobs, shorter than supervisors wait. */
const defaultTimeoutMs = 25_000;

async function stopPart(part: Part, log: Log): Promise<boolean> {
  try {
    await part.stop();
    return true;
  } catch (error) {
    // A part that fails to stop must not leave the earlier ones running.
    log.error({ err: error, part: part.name }, 'could not be stopped cleanly');
    return false;
  }
}

/** Records the order in which parts were started, to stop them in reverse. */
export function createLifecycle(log: Log): Lifecycle {
  const parts: Part[] = [];
  let stopping: Promise<boolean> | undefined;

  async function stopAll(): Promise<boolean> {
    let clean = true;
    for (let part = parts.pop(); part; part = parts.pop()) clean = (await stopPart(part, log)) && clean;
    return clean;
  }

  return {
    async onStop(name, stop) {
      if (!stopping) {
        parts.push({ name, stop });
        return;
      }
      await stopPart({ name, stop }, log);
    },
    stop() {
      stopping ??= stopAll();
      return stopping;
    },
  };
}

/**
 * A second signal within this time is the same Ctrl-C: a terminal signals every process, and npm forwards it to us
 * again.
 */
const sameSignalMs = 500;

/**
 * Stops the process gracefully on SIGTERM and SIGINT, with exit code 0 when all parts stopped, and 1 when one failed
 * or the time ran out. A second signal ends it at once (130 or 143, as in shells).
 */
export function stopOnSignals(lifecycle: Lifecycle, log: Log, timeoutMs: number = defaultTimeoutMs): void {
  let firstAt: number | undefined;
  const handle = (signal: NodeJS.Signals) => {
    if (firstAt !== undefined) {
      if (performance.now() - firstAt >= sameSignalMs) process.exit(signal === 'SIGINT' ? 130 : 143);
      return;
    }
    firstAt = performance.now();
    log.info({ signal }, 'stopping');
    const timer = setTimeout(() => {
      log.error({ timeoutMs }, 'did not stop in time');
      process.exit(1);
    }, timeoutMs);
    void lifecycle.stop().then((clean) => {
      clearTimeout(timer);
      log.info('stopped');
      process.exit(clean ? 0 : 1);
    });
  };
  process.on('SIGTERM', handle);
  process.on('SIGINT', handle);
}
