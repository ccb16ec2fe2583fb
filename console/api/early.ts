/** Requests that started before the console's own scripts were loaded, by address. */
type EarlyRequests = Map<string, Promise<Response>>;
const shared = globalThis as { earlyRequests?: EarlyRequests };

/** Older responses are not used. Requests complete or time out within this time. */
const maxAgeMs = 30_000;

/** Returns the same string for the same request, regardless of the order and encoding of its parameters. */
function keyOf(address: string): string {
  const { pathname, searchParams } = new URL(address, location.origin);
  searchParams.sort();
  return `${pathname}?${searchParams}`;
}

const sessionKey = 'assay.signedIn';

/**
 * Whether this browser had a session when a page was last shown. Without a session, early requests would be refused.
 */
export function mayHaveSession(): boolean {
  try {
    return localStorage.getItem(sessionKey) !== null;
  } catch {
    return false;
  }
}

export function noteSession(exists: boolean): void {
  try {
    if (exists) localStorage.setItem(sessionKey, 'yes');
    else localStorage.removeItem(sessionKey);
  } catch {
    // The browser blocks storage for this site: pages request their data themselves.
  }
}

const request = (path: string): Promise<Response> =>
  fetch(path, { headers: { accept: 'application/json' }, credentials: 'same-origin' });

/** Starts a page's first requests, and its next ones when those have completed. */
export function beginRequests(first: readonly string[], next: readonly string[]): void {
  const early: EarlyRequests = new Map();
  const keep = (path: string, response: Promise<Response>) => {
    // The error surfaces when the response is used.
    response.catch(() => {});
    early.set(keyOf(path), response);
    return response;
  };
  const begun = Promise.allSettled(first.map((path) => keep(path, request(path))));
  for (const path of next)
    keep(
      path,
      begun.then(() => request(path)),
    );
  setTimeout(() => early.clear(), maxAgeMs);
  shared.earlyRequests = early;
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** Sends a request, or returns the response of an early one. Each early response is used once. */
export function fetchOrTake(address: string, init: RequestInit): Promise<Response> {
  const early = shared.earlyRequests;
  const key = early && early.size > 0 && (init.method ?? 'GET') === 'GET' ? keyOf(address) : '';
  const response = early?.get(key);
  if (!response) return fetch(address, init);
  early?.delete(key);
  return init.signal ? Promise.race([response, aborted(init.signal)]) : response;
}
