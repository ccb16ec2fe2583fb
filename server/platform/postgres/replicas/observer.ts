import type pg from 'pg';
import { ApplicationClient } from '../application-client.ts';
import type { Statement } from '../statement.ts';

const timeoutMs = 2_000;

/**
 * A connection for polling a server's position, separate from the pools: an exhausted pool must not make a replica
 * look stale. It is opened on first use, and again after an error.
 */
export class Observer {
  readonly #options: { connectionString: string; applicationName: string };
  #client: ApplicationClient | null = null;

  constructor(options: { connectionString: string; applicationName: string }) {
    this.#options = options;
  }

  async #connect(): Promise<ApplicationClient> {
    const { connectionString, applicationName } = this.#options;
    const client = new ApplicationClient({
      connectionString,
      application_name: applicationName,
      connectionTimeoutMillis: timeoutMs,
      statementTimeoutMs: timeoutMs,
      keepAlive: true,
    });
    client.on('error', () => this.#leave(client));
    client.on('end', () => this.#leave(client));
    try {
      await client.connect();
      await client.prepare();
      return client;
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
  }

  #leave(client: ApplicationClient): void {
    if (this.#client === client) this.#client = null;
    client.end().catch(() => {});
  }

  /** Runs the statements in one transaction and one round trip. Throws when that takes more than two seconds. */
  async ask(statements: Statement[]): Promise<pg.QueryResult[]> {
    const client = this.#client ?? (await withinTime(this.#connect(), (late) => late.end().catch(() => {})));
    this.#client = client;
    try {
      const begin = client.begin('BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY', null);
      const sent = client.sendAll([...begin, ...statements, { text: 'COMMIT' }]);
      return (await withinTime(sent)).slice(begin.length, -1);
    } catch (error) {
      this.#leave(client);
      throw error;
    }
  }

  close(): void {
    if (this.#client) this.#leave(this.#client);
  }
}

async function withinTime<T>(work: Promise<T>, onLate?: (result: T) => void): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let isLate = false;
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    // Messages that arrived while this process was busy are read first.
    immediate = setImmediate(() => {
      isLate = true;
      reject(new Error(`It did not respond within ${timeoutMs} ms.`));
    });
  }, timeoutMs);
  work.then(
    (result) => isLate && onLate?.(result),
    () => {},
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    clearImmediate(immediate);
  }
}
