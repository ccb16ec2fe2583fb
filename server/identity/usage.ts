import type { Log } from '../platform/log.ts';
import type { Database } from '../platform/postgres/database.ts';
import { type Credential, noteUse } from './queries.ts';

const minuteMs = 60_000;

export type Usage = {
  /** Records that a credential was used now. Writes at most once a minute for each, and no request waits for it. */
  note(use: { orgId: string; userId: string; credential: Credential }): void;
  /** Waits for running writes. */
  close(): Promise<void>;
};

/**
 * Updates `last_used_at` of tokens, and `last_active_at` of sessions and members, to the minute. A failed write is
 * retried at the next use.
 */
export function createUsage(database: Database, log: Log, now: () => number = Date.now): Usage {
  let current = 0;
  const noted = new Set<string>();
  const pending = new Set<Promise<void>>();

  return {
    note({ orgId, userId, credential }) {
      const minute = Math.floor(now() / minuteMs);
      if (minute !== current) {
        current = minute;
        noted.clear();
      }
      const key = `${orgId} ${credential.id}`;
      if (noted.has(key)) return;
      noted.add(key);
      const write = noteUse(database, orgId, { credential, userId, minute: new Date(minute * minuteMs) })
        .catch((error: unknown) => {
          noted.delete(key);
          log.warn({ err: error }, 'could not note the use of a token or session');
        })
        .finally(() => pending.delete(write));
      pending.add(write);
    },
    close: async () => void (await Promise.all(pending)),
  };
}
