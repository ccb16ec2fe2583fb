import { invalidArgument } from './errors.ts';

/** A client's report on a request. It never contains the token, a body or a header. */
export type LogEntry = {
  event: 'response' | 'failure' | 'retry';
  method: string;
  url: string;
  /** 1 for the first. */
  attempt: number;
  status?: number;
  requestId?: string | null;
  durationMs?: number;
  /** The milliseconds until a retry is sent. */
  waitMs?: number;
  message?: string;
};

export type ClientOptions = {
  /**
   * An API token; by default `ASSAY_TOKEN` of the environment. With `null`, none is sent: a browser then sends its
   * session cookie.
   */
  token?: string | null | undefined;
  /** The address of Assay, with or without `/api/v1`; by default `ASSAY_BASE_URL` of the environment. */
  baseUrl?: string | undefined;
  /** The limit for one attempt, 60,000 by default; for uploads and downloads, for each pause between bytes. */
  timeoutMs?: number | undefined;
  /** The maximum number of retries of a failed request, 2 by default. */
  maxRetries?: number | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** Sends the requests: the platform's own `fetch` by default. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Called after every attempt and before every retry. */
  log?: ((entry: LogEntry) => void) | undefined;
  /** Waits between attempts and between polls; for tests. */
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
};

/** Options of one call, which override those of the client. */
export type RequestOptions = {
  /** Cancels the call: it is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /**
   * For a POST and `findings.updateMany`: the same key takes effect once. By default each call has its own key for all
   * attempts.
   */
  idempotencyKey?: string | undefined;
  /** The `ETag` of the changed resource: if the resource has changed since, the call throws PreconditionFailedError. */
  ifMatch?: string | undefined;
  headers?: Record<string, string> | undefined;
};

export type WaitOptions = RequestOptions & {
  /** The total time to wait; unlimited by default. */
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

/** Returns the address with `/api/v1` and without a slash at its end. A web page may pass a path on its own site. */
function readBaseUrl(options: ClientOptions): string {
  const baseUrl = (options.baseUrl ?? environment('ASSAY_BASE_URL') ?? '').trim();
  const page = (globalThis as { location?: { href?: string } }).location?.href;
  if (!(/^https?:\/\/[^/]/i.test(baseUrl) || (page !== undefined && /^\/[^/]/.test(baseUrl)))) {
    throw invalidArgument('Give the baseUrl with https://, or set ASSAY_BASE_URL.');
  }
  try {
    new URL(baseUrl, page);
  } catch {
    throw invalidArgument('The baseUrl is no address.');
  }
  return baseUrl.replace(/\/+$/, '').replace(/(\/api\/v1)?$/, '/api/v1');
}

/** Returns the options with defaults. Throws an AssayError for invalid options. */
export function readOptions(options: ClientOptions): Settings {
  const token = readToken(options);
  return {
    token,
    baseUrl: readBaseUrl(options),
    timeoutMs: options.timeoutMs ?? 60_000,
    maxRetries: options.maxRetries ?? 2,
    headers: options.headers ?? {},
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    log: options.log,
    sleep: options.sleep ?? pause,
  };
}
