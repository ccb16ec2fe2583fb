import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiResponse, exchange, type Sent } from '../harness/exchange.ts';
import type { Journal } from './journal.ts';
import type { Layout } from './layout.ts';

/** A request that takes longer counts as stuck, except for a file that is rendered by a worker while it arrives. */
const hungAfterMs = 45_000;
/** A request without an end is abandoned after this time, so that the soak ends and says so. */
const abandonedAfterMs = 180_000;

/** Thrown when the soak is over. */
export class Over extends Error {}

/** Calls the installation like a careful program: on any node, with retries under one idempotency key. */
export class Client {
  readonly journal: Journal;
  readonly #layout: Pick<Layout, 'origins' | 'token' | 'host'>;
  // Each request has its own connection, so that a broken one affects no other.
  readonly #agent = new Agent({ keepAlive: false });
  #turn = 0;
  /** Stops new requests; running ones may be repeated until `giveUp`. */
  isOver = false;
  isGivenUp = false;

  constructor(layout: Pick<Layout, 'origins' | 'token' | 'host'>, journal: Journal) {
    this.#layout = layout;
    this.journal = journal;
  }

  /**
   * Sends once. Returns null when the connection failed, so that the outcome is unknown. Unexpected statuses are
   * problems.
   */
  async send(method: string, path: string, sent: Sent = {}, accepted: number[] = []): Promise<ApiResponse | null> {
    const origins = this.#layout.origins();
    const origin = origins[this.#turn++ % origins.length]!;
    const { token, host } = this.#layout;
    const headers = { authorization: `Bearer ${token}`, ...(host !== undefined && { host }), ...sent.headers };
    const operation = `${method} ${path.replace(/\?.*/, '').replace(/[a-z]+_[0-9a-z]{26}/g, '{id}')}`;
    const started = performance.now();
    const report = () => this.journal.problem(`${operation} took longer than ${hungAfterMs / 1000} s`);
    const hung = operation.endsWith('/export') ? undefined : setTimeout(report, hungAfterMs);
    const isOver = new AbortController();
    try {
      const response = await Promise.race([
        exchange(origin, this.#agent, method, `/api/v1${path}`, { ...sent, headers }),
        delay(abandonedAfterMs, null, { signal: isOver.signal }),
      ]);
      if (response === null) {
        this.journal.problem(`${operation} did not end within ${abandonedAfterMs / 1000} s`);
        return null;
      }
      this.#judge(operation, response, accepted);
      return response;
    } catch {
      this.journal.count('broken connections');
      return null;
    } finally {
      isOver.abort();
      clearTimeout(hung);
      this.journal.longestMs = Math.max(this.journal.longestMs, performance.now() - started);
    }
  }

  #judge(operation: string, { status, text, headers }: ApiResponse, accepted: number[]): void {
    const isOfProxy = status >= 502 && status <= 504 && headers['content-type']?.startsWith('text/html');
    this.journal.count(
      status < 300 ? 'successful requests' : isOfProxy ? `responses ${status} of a proxy` : `responses ${status}`,
    );
    // No node was available, or the connection broke because its node stopped.
    if (isOfProxy) return;
    if (status === 503) this.journal.count(`503: ${text.match(/"message":"([^"]{1,60})/)?.[1]}`);
    if (status < 300 || accepted.includes(status)) return;
    // A body that arrives too slowly on a stalled machine must be sent again.
    if (status === 408) return;
    if (status === 503 && headers['retry-after'] !== undefined) return;
    const said = text.replace(/[a-z]+_[0-9a-z]{26}|req_[0-9a-f-]{36}/g, '{id}').slice(0, 200);
    this.journal.problem(`${operation}: ${status}${status === 503 ? ' without Retry-After' : ''} ${said}`);
  }

  /** Repeats a request until it succeeds, which it eventually must. */
  async insist(method: string, path: string, sent: Sent = {}, accepted: number[] = []): Promise<ApiResponse> {
    const key: Record<string, string> =
      method === 'POST' && sent.raw === undefined ? { 'idempotency-key': randomUUID() } : {};
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
      const response = await this.send(method, path, { ...sent, headers: { ...key, ...sent.headers } }, [
        409,
        ...accepted,
      ]);
      if (response && (response.status < 300 || (response.status < 500 && ![408, 409, 429].includes(response.status))))
        return response;
      if (this.isGivenUp) throw new Over(`${method} ${path} did not succeed: ${response?.status} ${response?.text}`);
      await delay(pauseMs);
    }
  }

  /** Like `insist`, and returns the body of the response. */
  async ask(method: string, path: string, json?: object): Promise<ApiResponse['body']> {
    const response = await this.insist(method, path, json === undefined ? {} : { json });
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
    return response.body;
  }

  /** Returns all rows of a list. */
  async list(path: string): Promise<ApiResponse['body'][]> {
    const rows: ApiResponse['body'][] = [];
    for (let cursor = ''; ; ) {
      const page = await this.ask('GET', `${path}${path.includes('?') ? '&' : '?'}limit=200${cursor}`);
      rows.push(...page.data);
      if (page.next_cursor === null) return rows;
      cursor = `&next_cursor=${page.next_cursor}`;
    }
  }
}
