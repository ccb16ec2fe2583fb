import { Worker } from 'node:worker_threads';
import type { FileKind, Sight } from './rule.ts';

export type Hit = { ruleId: string; sight: Sight };
export type Outcome = { hits: Hit[] } | { problem: string };

const timeoutMs = 15_000;
const maxMegabytes = 256;

/**
 * Reads files in a thread of its own, one after the other: a file made to hang or to fill the memory costs that thread alone,
 * and the next file gets a new one. Close it in the end.
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
      // An error that comes after the answer must not end the process.
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
