import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Chart } from './helm/chart.ts';
import type { FileKind, Sight } from './rule.ts';
import type { Cut } from './scan-file.ts';
import type { ScanRequest } from './scan-thread.ts';
import type { Modules } from './terraform/module-tree.ts';
import type { TerraformFile } from './terraform.ts';

export type Hit = { ruleId: string; sight: Sight };
type Problem = { problem: string };
export type Outcome = { hits: Hit[]; cut: Cut[] } | Problem;
/**
 * `cut`: the rules with more hits than are reported. `problem` completes the sentence "The file could not be read: ".
 */
export type FileResult = { path: string; hits: Hit[]; cut: string[] } | { path: string; problem: string };

const timeoutMs = 15_000;
const maxMegabytes = 256;

/**
 * Reads files one at a time in a separate thread: a file that hangs it or fills its memory ends only that thread, and
 * the next file gets a new one. Close it after use.
 */
export class FileScanner {
  #thread: Worker | null = null;

  scan(kind: FileKind, text: string): Promise<Outcome> {
    return this.#ask({ action: 'scan', kind, text });
  }

  scanChart(chart: Chart): Promise<Outcome> {
    return this.#ask({ action: 'scan-chart', chart });
  }

  readTerraform(text: string): Promise<{ file: TerraformFile } | Problem> {
    return this.#ask({ action: 'read-terraform', text });
  }

  scanTerraform(modules: Modules, root: string): Promise<Outcome> {
    return this.#ask({ action: 'scan-terraform', modules, root });
  }

  async #ask<Result>(request: ScanRequest): Promise<Result | Problem> {
    this.#thread ??= startThread();
    const thread = this.#thread;
    const { promise, resolve } = Promise.withResolvers<Result | Problem>();
    const giveUp = (problem: string) => {
      this.close();
      resolve({ problem });
    };
    const timer = setTimeout(giveUp, timeoutMs, `it took longer than ${timeoutMs / 1000} seconds`);
    thread.once('message', resolve);
    thread.once('error', () => giveUp(`it takes more than ${maxMegabytes} MB to read, or could not be read at all`));
    thread.once('exit', () => giveUp('reading it failed'));
    thread.postMessage(request);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
      // A late error must not crash the process.
      thread.on('error', () => this.close());
    }
  }

  close(): void {
    void this.#thread?.terminate();
    this.#thread = null;
  }
}

function startThread(): Worker {
  const thread = new Worker(join(import.meta.dirname, `scan-thread${extname(import.meta.filename)}`), {
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    env: {},
    execArgv: [],
  });
  thread.unref();
  return thread;
}
