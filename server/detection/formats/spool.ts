import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const maxBytesInMemory = 16 * 1024 * 1024;

/**
 * Holds values back until the end of a file explains them: 16 MiB in memory, the rest in a temporary file that only
 * this process may read. Open it with `await using`, which removes the file.
 */
export class Spool<T> {
  #lines: string[] = [];
  #length = 0;
  #directory: string | null = null;
  #file: FileHandle | null = null;

  async add(value: T): Promise<void> {
    const line = JSON.stringify(value);
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length > maxBytesInMemory) await this.#writeOut();
  }

  async #writeOut(): Promise<void> {
    if (!this.#file) {
      this.#directory = await mkdtemp(join(tmpdir(), 'assay-import-'));
      this.#file = await open(join(this.#directory, 'results'), 'wx+', 0o600);
    }
    await this.#file.write(`${this.#lines.join('\n')}\n`);
    this.#lines = [];
    this.#length = 0;
  }

  /** Yields all values in order and empties the spool. */
  async *drain(): AsyncGenerator<T> {
    if (this.#file) {
      if (this.#lines.length > 0) await this.#writeOut();
      const input = this.#file.createReadStream({ start: 0, autoClose: false });
      for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
        yield JSON.parse(line) as T;
      await this.#file.truncate(0);
      return;
    }
    const lines = this.#lines;
    this.#lines = [];
    this.#length = 0;
    for (const line of lines) yield JSON.parse(line) as T;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
    if (this.#directory) await rm(this.#directory, { recursive: true, force: true });
  }
}
