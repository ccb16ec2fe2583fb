import { Attempt } from './attempt.ts';
import { APIConnectionError, APIStatusError, InvalidResponseError, invalidArgument, statusError } from './errors.ts';
import type { RequestOptions, Settings } from './options.ts';
import type { Upload } from './upload.ts';
import { version } from './version.ts';

/** A request below the base address. */
export type RequestSpec = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';
  /** Segments of the path, not yet encoded. */
  path: string[];
  query?: object;
  json?: unknown;
  upload?: Upload;
  accept?: string;
  /** Whether the request may be repeated if an earlier attempt may have taken effect. */
  repeatable?: boolean;
  /**
   * Whether the service honours an idempotency key, as it does with every POST: a repetition then has no further
   * effect.
   */
  takesKey?: boolean;
};

/** A response without its data. */
export type ResponseInfo = { status: number; headers: Headers; requestId: string | null };

export type Outcome<T> = { data: T; response: ResponseInfo };

type Reader<T> = (response: Response, attempt: Attempt) => Promise<T>;

const maxRetryAfterMs = 60_000;
const maxBackoffMs = 8_000;
const isBrowser = () => 'document' in globalThis;

/** Returns half a second, doubled with each retry up to eight seconds, shortened by up to half at random. */
export const backoffMs = (retry: number) =>
  Math.round(Math.min(500 * 2 ** retry, maxBackoffMs) * (0.5 + Math.random() / 2));

/** Matches a time in the service's format. */
export const timeText = (time: Date) => `${time.toISOString().slice(0, 19)}Z`;

function segment(text: string): string {
  if (typeof text !== 'string' || text === '' || text === '.' || text === '..' || !text.isWellFormed()) {
    throw invalidArgument(`${JSON.stringify(text)} is not an id. Give the id of a resource, as the API returned it.`);
  }
  return encodeURIComponent(text);
}

function queryText(query: object = {}): string {
  const text = (value: unknown) => encodeURIComponent(value instanceof Date ? timeText(value) : String(value));
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name)}=${Array.isArray(value) ? value.map(text).join(',') : text(value)}`,
    );
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

/** Returns whether another attempt may succeed and is allowed. */
function isRetryable(error: unknown, spec: RequestSpec): boolean {
  if (spec.upload?.replayable === false) return false;
  const repeatable = spec.repeatable !== false;
  if (error instanceof APIConnectionError) return repeatable;
  if (!(error instanceof APIStatusError)) return false;
  if (error.status === 429 || error.code === 'idempotency_in_progress') return true;
  return repeatable && (error.status === 408 || error.status >= 500);
}

async function readText(response: Response, attempt: Attempt): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw attempt.explain(error);
  }
}

/** Sends requests with their token, retries and time limits. */
export class Transport {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get maxRetries(): number {
    return this.#settings.maxRetries;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    return this.#settings.sleep(ms, signal);
  }

  /** Sends a request and returns its JSON; undefined for 204. */
  json<T>(spec: RequestSpec, options?: RequestOptions): Promise<Outcome<T>> {
    return this.send(spec, options, async (response, attempt) => {
      const text = await readText(response, attempt);
      attempt.end();
      if (response.status === 204 || (response.status === 202 && text === '')) return undefined as T;
      try {
        return JSON.parse(text) as T;
      } catch {
        throw new InvalidResponseError('The response is not JSON. Is the base address that of Assay?', {
          status: response.status,
          code: 'invalid_response',
          requestId: response.headers.get('x-request-id'),
        });
      }
    });
  }

  /** Sends a request, with retries, and returns the result of `read` for the response. */
  async send<T>(spec: RequestSpec, options: RequestOptions = {}, read: Reader<T>): Promise<Outcome<T>> {
    const url = `${this.#settings.baseUrl}/${spec.path.map(segment).join('/')}${queryText(spec.query)}`;
    const headers = this.#headers(spec, options);
    const { maxRetries = this.#settings.maxRetries, signal } = options;
    for (let retry = 0; ; retry++) {
      signal?.throwIfAborted();
      try {
        return await this.#attempt(spec, url, headers, options, read, retry + 1);
      } catch (error) {
        if (retry >= maxRetries || signal?.aborted || !isRetryable(error, spec)) throw error;
        const { retryAfterMs, message } = error as APIStatusError;
        const isEndless = maxRetries === Number.POSITIVE_INFINITY;
        if (retryAfterMs !== null && retryAfterMs > maxRetryAfterMs && !isEndless) throw error;
        const waitMs = retryAfterMs ?? backoffMs(retry);
        this.#settings.log?.({ event: 'retry', method: spec.method, url, attempt: retry + 1, waitMs, message });
        await this.sleep(waitMs, signal);
      }
    }
  }

  async #attempt<T>(
    spec: RequestSpec,
    url: string,
    headers: Record<string, string>,
    options: RequestOptions,
    read: Reader<T>,
    number: number,
  ): Promise<Outcome<T>> {
    const { token, log } = this.#settings;
    const attempt = new Attempt(options.timeoutMs ?? this.#settings.timeoutMs, options.signal, token);
    const started = performance.now();
    const base = () => ({
      method: spec.method,
      url,
      attempt: number,
      durationMs: Math.round(performance.now() - started),
    });
    try {
      const response = await this.#fetch(spec, url, headers, attempt);
      const requestId = response.headers.get('x-request-id');
      log?.({ ...base(), event: 'response', status: response.status, requestId });
      if (!response.ok) {
        const text = await readText(response, attempt);
        throw statusError(response, token === null ? text : text.replaceAll(token, '[redacted]'));
      }
      const data = await read(response, attempt);
      return { data, response: { status: response.status, headers: response.headers, requestId } };
    } catch (error) {
      attempt.end();
      const message = error instanceof Error ? error.message : 'It was cancelled.';
      if (!(error instanceof APIStatusError)) log?.({ ...base(), event: 'failure', message });
      throw error;
    }
  }

  async #fetch(spec: RequestSpec, url: string, headers: Record<string, string>, attempt: Attempt): Promise<Response> {
    const upload = await spec.upload?.open(() => attempt.startClock());
    // A body that is sent whole reports no progress, so no time limit can apply.
    if (upload && !upload.streams) attempt.stopClock();
    const body = upload ? upload.body : spec.json === undefined ? undefined : JSON.stringify(spec.json);
    const init: RequestInit & { duplex?: 'half' } = {
      method: spec.method,
      headers,
      body: body ?? null,
      signal: attempt.signal,
      // Redirects are not followed: they would send the token to another address.
      redirect: 'manual',
      ...(upload?.streams && { duplex: 'half' }),
    };
    try {
      return await this.#settings.fetch(url, init);
    } catch (error) {
      throw attempt.explain(error);
    }
  }

  #headers(spec: RequestSpec, options: RequestOptions): Record<string, string> {
    const { token, headers } = this.#settings;
    return {
      accept: spec.accept ?? 'application/json',
      // Browsers set this header themselves.
      ...(!isBrowser() && { 'user-agent': `assay-typescript/${version}` }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(spec.json !== undefined && { 'content-type': 'application/json' }),
      ...(spec.upload && { 'content-type': 'application/octet-stream' }),
      ...((spec.method === 'POST' || spec.takesKey) && {
        'idempotency-key': options.idempotencyKey ?? crypto.randomUUID(),
      }),
      ...(options.ifMatch !== undefined && { 'if-match': options.ifMatch }),
      ...headers,
      ...options.headers,
    };
  }
}
