import { APIConnectionError, APITimeoutError } from './errors.ts';

/** One attempt of a request, with its time limit, its cancellation and the meaning of its failure. */
export class Attempt {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  readonly #caller: AbortSignal | undefined;
  readonly #token: string | null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timedOut = false;
  #ended = false;

  constructor(timeoutMs: number, caller: AbortSignal | undefined, token: string | null) {
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
    this.#token = token;
    caller?.addEventListener('abort', this.#cancel, { once: true });
    this.startClock();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly #cancel = () => this.#controller.abort();

  /** Restarts the time limit because data has arrived. */
  startClock(): void {
    this.stopClock();
    if (this.#ended) return;
    this.#timer = setTimeout(() => {
      this.#timedOut = true;
      this.#controller.abort();
    }, this.#timeoutMs);
  }

  stopClock(): void {
    clearTimeout(this.#timer);
  }

  /** Releases the resources of the attempt and closes an unfinished response. */
  end(): void {
    this.#ended = true;
    this.stopClock();
    this.#caller?.removeEventListener('abort', this.#cancel);
    this.#controller.abort();
  }

  /** Returns the error for the caller when sending or reading failed. */
  explain(error: unknown): unknown {
    if (this.#caller?.aborted) return this.#caller.reason;
    const cause = this.#withoutToken(error);
    if (this.#timedOut) {
      const message = `There was no response within ${this.#timeoutMs} ms. Is the service busy? See timeoutMs.`;
      return new APITimeoutError(message, { code: 'timeout', cause });
    }
    const reason =
      cause instanceof Error ? (cause.cause instanceof Error ? cause.cause : cause).message : 'it was cut short';
    return new APIConnectionError(`The connection failed: ${reason}`, { code: 'connection_error', cause });
  }

  /** Returns the cause to attach to an error, or nothing if it contains the token. */
  #withoutToken(error: unknown): unknown {
    const texts: string[] = [];
    for (let one = error; one instanceof Error; one = one.cause) texts.push(`${one.message}${one.stack}`);
    return this.#token !== null && texts.join('').includes(this.#token) ? undefined : error;
  }

  /** The bytes of a body. Each wait for more has the attempt's time limit. */
  async *chunks(response: Response): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader();
    try {
      while (reader) {
        this.startClock();
        const { done, value } = await reader.read();
        this.stopClock();
        if (done) return;
        yield value;
      }
    } catch (error) {
      throw this.explain(error);
    } finally {
      this.end();
    }
  }
}
