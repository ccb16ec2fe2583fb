import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { ApplicationClient } from './application-client.ts';
import { listCells } from './cells/cell-database.ts';
import type { Database } from './database.ts';

/** Called with the payload of a notification, or without one when notifications may have been missed. */
type Listener = (payload?: string) => void;

export type Notifications = {
  /** Calls `listener` for each notification of a channel. Returns a function that stops this. */
  on(channel: string, listener: Listener): () => void;
  /** Whether notifications currently arrive: without them, poll. */
  isListening(): boolean;
  close(): Promise<void>;
};

const probeChannel = 'assay_probe';
const probeTimeoutMs = 2_000;

/**
 * Returns whether notifications reach this connection, by sending one over another connection. A pooler that assigns
 * connections by transaction drops them.
 */
async function hearsNotifications(client: ApplicationClient, database: Database): Promise<boolean> {
  if (!client.pooler) return true;
  const probe = randomUUID();
  const heard = new Promise<boolean>((resolve) => {
    client.on('notification', ({ payload }) => payload === probe && resolve(true));
  });
  await client.query(`LISTEN ${probeChannel}`);
  await database.single(null, { text: 'SELECT pg_notify($1, $2)', values: [probeChannel, probe] });
  return Promise.race([heard, delay(probeTimeoutMs, false, { ref: false })]);
}

/**
 * Listens on these channels while the node runs, over one connection, which is reopened when it breaks. Behind a pooler
 * that drops notifications it gives up and logs that.
 */
export function listenForNotifications(
  database: Database,
  log: Log,
  channels: readonly string[],
  retryAfterMs = 1_000,
): Notifications {
  const listeners = new Map(channels.map((channel) => [channel, new Set<Listener>()]));
  let client: ApplicationClient | undefined;
  let listening = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  function leave(left: ApplicationClient, why: string, cause?: unknown): boolean {
    if (client !== left) return false;
    client = undefined;
    listening = false;
    left.end().catch(() => {});
    // One line: nothing is lost, and the stack only leads into the driver.
    if (!closed) log.warn(cause instanceof Error ? { reason: cause.message } : {}, why);
    return !closed;
  }

  async function connect(): Promise<void> {
    const next = new ApplicationClient({ ...database.pool.options, keepAlive: true });
    client = next;
    const lost = (cause?: unknown) => {
      const why =
        'Not listening for changes; trying again soon. Until then, rights and progress are read from the database every time.';
      if (leave(next, why, cause)) timer = setTimeout(connect, retryAfterMs);
    };
    next.on('error', lost);
    next.on('end', () => lost());
    next.on('notification', ({ channel, payload }) => {
      for (const listener of listeners.get(channel) ?? []) listener(payload ?? '');
    });
    try {
      await next.connect();
      await next.prepare();
      for (const channel of channels) await next.query(`LISTEN ${channel}`);
      if (!(await hearsNotifications(next, database))) {
        leave(
          next,
          'The pooler does not forward notifications: rights and progress are read from the database every time.',
        );
        return;
      }
      if (client !== next) return;
      listening = true;
      for (const listener of [...listeners.values()].flatMap((set) => [...set])) listener();
    } catch (error) {
      lost(error);
    }
  }

  const connected = connect();
  return {
    isListening: () => listening,
    on(channel, listener) {
      const set = listeners.get(channel);
      if (!set) throw new Error(`Nobody listens on ${channel}.`);
      set.add(listener);
      return () => void set.delete(listener);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await connected;
      listening = false;
      const open = client;
      client = undefined;
      await open?.end().catch(() => {});
    },
  };
}

/** Listens in every cell of the installation, like `listenForNotifications` in one database. */
export function listenInCells(database: Database, log: Log, channels: readonly string[]): Notifications {
  const all = listCells(database).map(([name, cell]) =>
    listenForNotifications(cell, name === undefined ? log : log.child({ cell: name }), channels),
  );
  if (all.length === 1) return all[0]!;
  return {
    on(channel, listener) {
      const stops = all.map((one) => one.on(channel, listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    isListening: () => all.every((one) => one.isListening()),
    close: async () => void (await Promise.all(all.map((one) => one.close()))),
  };
}
