import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Log } from '../../log.ts';
import type { SharedMark, SharedMarks } from './marks.ts';

const commandTimeoutMs = 250;
const busy = 'busy';

export type RedisMarksOptions = {
  url: string;
  log: Log;
  prefix?: string;
  /** The time after which every replica in service shows what was there before. */
  keptMs: number;
  /** Called when Redis is connected: what other nodes recorded before may be lost. */
  onConnect(): void;
  /** Called when the connection is lost: other nodes may reach a Redis that has nothing of this one. */
  onLost(): void;
};

/**
 * Shares the marks in Redis or Valkey: a hash for each credential, with a field for each node. While it can't be
 * reached, nothing is known of other nodes, and everything is read from the primary.
 */
export function createRedisMarks({
  url,
  log,
  prefix = 'assay:reads:',
  keptMs,
  onConnect,
  onLost,
}: RedisMarksOptions): SharedMarks {
  const node = randomUUID();
  // What a node left that was killed expires: then every replica in service shows what it stands for.
  const expiresMs = Math.ceil(keptMs) + 30_000;
  const redis = new Redis(url, {
    commandTimeout: commandTimeoutMs,
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 50, 500),
  });
  let reported = false;
  let closed = false;
  redis.on('error', (err) => {
    if (reported || closed) return;
    reported = true;
    log.warn({ err }, 'Redis is away: no replica is read from, since other nodes are unknown.');
  });
  redis.on('close', onLost);
  redis.on('ready', () => {
    if (reported) log.info('Redis is back: replicas are read from again.');
    reported = false;
    onConnect();
  });

  const write = (credential: string, value: string): Promise<boolean> => {
    if (redis.status !== 'ready') return Promise.resolve(false);
    const key = prefix + credential;
    const done = redis.pipeline().hset(key, node, value).pexpire(key, expiresMs).exec();
    return done.then(
      (results) => results?.every(([error]) => error === null) ?? false,
      () => false,
    );
  };

  return {
    begin: (credential) => write(credential, busy),
    settle: (credential, lsn) => write(credential, String(lsn)),
    async look(credential): Promise<SharedMark> {
      if (redis.status !== 'ready') return null;
      try {
        const values = await redis.hvals(prefix + credential);
        return {
          busy: values.includes(busy),
          lsn: Math.max(0, ...values.filter((value) => value !== busy).map(Number)),
        };
      } catch {
        return null;
      }
    },
    close() {
      closed = true;
      redis.disconnect();
    },
  };
}
