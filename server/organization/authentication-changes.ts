import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';
import { ApplicationClient } from '../platform/postgres/application-client.ts';
import type { Database, Db } from '../platform/postgres/database.ts';

const channel = 'assay_authentication';

/**
 * Tells every node, at the commit of this transaction, to forget what it remembers of who may do what. To be called with
 * every change that narrows or moves it: a role, a membership, a token, an organization's limits.
 */
export async function announceAuthenticationChange(tx: Db): Promise<void> {
  await tx.query({ text: 'SELECT pg_notify($1, $2)', values: [channel, ''] });
}

export type AuthenticationChanges = {
  /** Whether changes are heard at the moment. */
  isListening(): boolean;
  close(): Promise<void>;
};

const passedWithinMs = 2_000;

/**
 * Whether notifications reach this connection: a pooler that hands out connections by transaction drops them. One is sent over
 * another connection.
 */
async function hearsNotifications(client: ApplicationClient, database: Database): Promise<boolean> {
  if (!client.pooler) return true;
  const probe = randomUUID();
  const heard = new Promise<boolean>((resolve) => {
    client.on('notification', ({ payload }) => {
      if (payload === probe) resolve(true);
    });
  });
  await database.single(null, { text: 'SELECT pg_notify($1, $2)', values: [channel, probe] });
  return Promise.race([heard, delay(passedWithinMs, false, { ref: false })]);
}

/**
 * Calls `onChange` at every announced change, over a connection of its own that is made anew when it breaks; and once
 * whenever it starts to listen, since something may have been missed before.
 */
export function listenForAuthenticationChanges(
  database: Database,
  log: Log,
  onChange: () => void,
  retryAfterMs = 1_000,
): AuthenticationChanges {
  let client: ApplicationClient | undefined;
  let listening = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new ApplicationClient({ ...database.pool.options, keepAlive: true });
    client = next;
    const lost = (cause?: unknown) => {
      if (client !== next) return;
      client = undefined;
      listening = false;
      if (closed) return;
      log.warn(
        { err: cause },
        'not listening for changes of tokens and members: every request asks the database meanwhile',
      );
      next.end().catch(() => {});
      timer = setTimeout(connect, retryAfterMs);
    };
    next.on('error', lost);
    next.on('end', () => lost());
    next.on('notification', onChange);
    try {
      await next.connect();
      await next.prepare();
      await next.query(`LISTEN ${channel}`);
      const isHeard = await hearsNotifications(next, database);
      if (client !== next) return;
      if (!isHeard) {
        client = undefined;
        log.warn('The pooler passes on no notifications: every request asks the database who makes it.');
        await next.end();
        return;
      }
      listening = true;
      onChange();
    } catch (error) {
      lost(error);
    }
  }

  const connected = connect();
  return {
    isListening: () => listening,
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
