import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../platform/temporary-directory.ts';
import { maxValueBytes } from './value-limits.ts';

/**
 * Stores values that can be interpreted only at the end of a file: 4 MiB in memory, the rest in a temporary file that
 * only this process may read. Open it with `await using`, which removes the file.
 */
export class Spool<T> {
  #lines: string[] = [];
  #length = 0;
  #directory: TemporaryDirectory | null = null;
  #file: FileHandle | null = null;

  async add(value: T): Promise<void> {
    const line = JSON.stringify(value);
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length > maxValueBytes) await this.#writeOut();
  }

  async #writeOut(): Promise<void> {
    if (!this.#file) {
      this.#directory = await makeTemporaryDirectory();
      this.#file = await open(join(this.#directory.path, 'results'), 'wx+', 0o600);
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
    await this.#directory?.remove();
  }
}
