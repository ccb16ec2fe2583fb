import { startGit } from '../platform/git.ts';
import type { Repository } from './history.ts';

/** `content` is null if the blob is larger than the bound, `size` is null if the repository lacks it. */
export type ReadBlob<Request> = { request: Request; size: number | null; content: Buffer | null };

/** The number of requests in flight to git: enough to keep it busy, few enough to need little memory. */
const maxOutstanding = 256;

/**
 * Reads blobs in the requested order through one git process. Contents above `maxBytes` are skipped without being
 * loaded into memory. `requests` is read only as fast as the results are consumed.
 */
export async function* readBlobs<Request extends { id: string }>(
  repository: Repository,
  requests: AsyncIterable<Request>,
  maxBytes: number,
): AsyncGenerator<ReadBlob<Request>> {
  const git = startGit(['cat-file', '--batch'], repository);
  const outstanding: Request[] = [];
  let failure: unknown;
  let stopped = false;
  let wake = () => {};
  const asking = (async () => {
    try {
      for await (const request of requests) {
        if (stopped) break;
        outstanding.push(request);
        if (!git.stdin.write(`${request.id}\n`) || outstanding.length >= maxOutstanding) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } catch (error) {
      failure = error;
    }
    git.stdin.end();
  })();

  const reader = new ByteReader(git.stdout);
  try {
    for (let header = await reader.line(); header !== null; header = await reader.line()) {
      const request = outstanding.shift()!;
      if (outstanding.length < maxOutstanding / 2) wake();
      // Git prints the name of a missing object, which may be any path.
      const [id, type, length] = header.split(' ');
      const size = type === 'blob' && /^[\da-f]+$/.test(id!) ? Number(length) : null;
      const content = size !== null && size <= maxBytes ? await reader.take(size) : null;
      if (size !== null) await reader.skip(content ? 1 : size + 1);
      yield { request, size, content };
    }
    if (failure) throw failure;
    await git.finished;
  } catch (error) {
    // The reason why git ended is the more useful error.
    if (error instanceof EndedEarly) await git.finished;
    throw error;
  } finally {
    stopped = true;
    git.stop();
    await reader.close();
    wake();
    await asking;
  }
}

class EndedEarly extends Error {}

/** Reads lines and counted bytes from a stream of chunks. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  async line(): Promise<string | null> {
    let end = this.#rest.indexOf(10);
    while (end < 0) {
      const chunk = await this.#next();
      if (!chunk) return null;
      this.#rest = Buffer.concat([this.#rest, chunk]);
      end = this.#rest.indexOf(10);
    }
    const line = this.#rest.toString('latin1', 0, end);
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  async take(bytes: number): Promise<Buffer> {
    if (this.#rest.length >= bytes) {
      const taken = this.#rest.subarray(0, bytes);
      this.#rest = this.#rest.subarray(bytes);
      return taken;
    }
    const taken = Buffer.allocUnsafe(bytes);
    let filled = this.#rest.copy(taken);
    while (filled < bytes) {
      const chunk = await this.#next();
      if (!chunk) throw new EndedEarly('git ended in the middle of a file');
      const used = chunk.copy(taken, filled);
      filled += used;
      this.#rest = chunk.subarray(used);
    }
    return taken;
  }

  async skip(bytes: number): Promise<void> {
    let left = bytes - this.#rest.length;
    if (left <= 0) {
      this.#rest = this.#rest.subarray(bytes);
      return;
    }
    for (;;) {
      const chunk = await this.#next();
      if (!chunk) throw new EndedEarly('git ended in the middle of a file');
      if (chunk.length >= left) {
        this.#rest = chunk.subarray(left);
        return;
      }
      left -= chunk.length;
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #next(): Promise<Buffer | null> {
    const { value, done } = await this.#chunks.next();
    return done ? null : value;
  }
}
