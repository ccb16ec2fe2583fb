import { Worker } from 'node:worker_threads';
import type { FileKind, Sight } from './rule.ts';

export type Hit = { ruleId: string; sight: Sight };
export type Outcome = { hits: Hit[] } | { problem: string };

const timeoutMs = 15_000;
const maxMegabytes = 256;

/**
 * Reads files one at a time in a separate thread: a file that hangs it or fills its memory ends only that thread, and
 * the next file gets a new one. Close it after use.
 */
export class FileScanner {
  #thread: Worker | null = null;

  async scan(kind: FileKind, text: string): Promise<Outcome> {
    this.#thread ??= startThread();
    const thread = this.#thread;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const giveUp = (problem: string) => {
      this.close();
      resolve({ problem });
    };
    const timer = setTimeout(giveUp, timeoutMs, `it took longer than ${timeoutMs / 1000} seconds`);
    thread.once('message', resolve);
    thread.once('error', () => giveUp(`it takes more than ${maxMegabytes} MB to read, or could not be read at all`));
    thread.once('exit', () => giveUp('reading it failed'));
    thread.postMessage({ kind, text });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
      // A late error must not end the process.
      thread.on('error', () => this.close());
    }
  }

  close(): void {
    void this.#thread?.terminate();
    this.#thread = null;
  }
}

function startThread(): Worker {
  const thread = new Worker(new URL('./scan-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    env: {},
    execArgv: [],
  });
  thread.unref();
  return thread;
}
