import { invalidArgument } from './errors.ts';

/** What a client reports of its requests. Never the token, a body or a header. */
export type LogEntry = {
  event: 'response' | 'failure' | 'retry';
  method: string;
  url: string;
  /** 1 for the first. */
  attempt: number;
  status?: number;
  requestId?: string | null;
  durationMs?: number;
  /** Before a retry: how long it waits. */
  waitMs?: number;
  message?: string;
};

export type ClientOptions = {
  /** An API token; by default `ASSAY_TOKEN` of the environment. `null` for none: a browser then sends its session's cookie. */
  token?: string | null | undefined;
  /** The address of the API with `/api/v1`; by default `ASSAY_BASE_URL` of the environment. */
  baseUrl?: string | undefined;
  /** For one attempt, 60,000 by default; for uploads and downloads, for each pause between bytes. */
  timeoutMs?: number | undefined;
  /** How often a failed request is repeated, 2 by default. */
  maxRetries?: number | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** Sends the requests: the platform's own `fetch` by default. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Is called after every attempt and before every retry. */
  log?: ((entry: LogEntry) => void) | undefined;
  /** Waits between attempts and looks; for tests. */
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
};

/** Options of one call, which go before those of the client. */
export type RequestOptions = {
  /** Cancels the call: it is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Of a POST: the same key does nothing twice. By default each call has one of its own, kept through its retries. */
  idempotencyKey?: string | undefined;
  /** The `ETag` of what is changed: when it has changed since, the call is a PreconditionFailedError. */
  ifMatch?: string | undefined;
  headers?: Record<string, string> | undefined;
};

export type WaitOptions = RequestOptions & {
  /** How long to wait in all; without it, as long as it takes. */
  maxWaitMs?: number | undefined;
};

export type Settings = {
  [Name in Exclude<keyof ClientOptions, 'log'>]-?: Exclude<ClientOptions[Name], undefined>;
} & Pick<ClientOptions, 'log'>;

function environment(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[name]?.trim() || undefined;
  } catch {
    // Deno without the permission to read the environment.
    return undefined;
  }
}

/** Waits `ms`, or until the signal aborts: then it throws the signal's reason. */
const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel);
      resolve();
    }, ms);
    const cancel = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', cancel, { once: true });
  });

function readToken(options: ClientOptions): string | null {
  if (options.token === null) return null;
  const token = options.token?.trim() || environment('ASSAY_TOKEN');
  if (!token) {
    throw invalidArgument('Give a token, or set ASSAY_TOKEN. For the session of a browser, give null as the token.');
  }
  if (!/^[\x21-\x7e]+$/.test(token)) throw invalidArgument('The token has characters that no token has.');
  return token;
}

/** The options with their defaults filled in; throws an AssayError for what can't work. */
export function readOptions(options: ClientOptions): Settings {
  const token = readToken(options);
  const baseUrl = options.baseUrl ?? environment('ASSAY_BASE_URL');
  if (!baseUrl) throw invalidArgument('Give a baseUrl with /api/v1, or set ASSAY_BASE_URL.');
  return {
    token,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    timeoutMs: options.timeoutMs ?? 60_000,
    maxRetries: options.maxRetries ?? 2,
    headers: options.headers ?? {},
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    log: options.log,
    sleep: options.sleep ?? pause,
  };
}
