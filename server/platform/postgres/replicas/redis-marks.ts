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
  /** The time after which every replica in service shows everything that was committed before. */
  keptMs: number;
  /** Extra lifetime of marks, until they are renewed. */
  spareMs?: number;
  /** Called when Redis is connected: marks recorded earlier by other nodes may be lost. */
  onConnect(): void;
  /** Called when the connection is lost: other nodes may reach a Redis that has none of this node's marks. */
  onLost(): void;
};

/** Marks are stored as "value expiry", by the clock of Redis: the nodes' clocks may differ. */
const nowMs = `local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local function isOver(mark) local expiry = tonumber(string.match(mark, ' (%d+)$')) return expiry and expiry <= now end`;

/** Sets the mark of a node and removes expired marks: each write extends the lifetime of the whole hash. */
const setMark = `${nowMs}
  local fields = redis.call('HGETALL', KEYS[1])
  for i = 1, #fields, 2 do if isOver(fields[i + 1]) then redis.call('HDEL', KEYS[1], fields[i]) end end
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. string.format('%d', now + ARGV[3]))
  return redis.call('PEXPIRE', KEYS[1], ARGV[3])`;

const listMarks = `${nowMs}
  local marks = {}
  for _, mark in ipairs(redis.call('HVALS', KEYS[1])) do
    if not isOver(mark) then marks[#marks + 1] = string.match(mark, '^%S+') end
  end
  return marks`;

type Scripts = {
  setMark(key: string, node: string, value: string, expiresMs: number): Promise<number>;
  listMarks(key: string): Promise<string[]>;
};

/**
 * Shares the marks in Redis or Valkey: a hash for each credential, with a field for each node. While it can't be
 * reached, the state of other nodes is unknown, and everything is read from the primary.
 */
export function createRedisMarks({
  url,
  log,
  prefix = 'assay:reads:',
  keptMs,
  spareMs = 30_000,
  onConnect,
  onLost,
}: RedisMarksOptions): SharedMarks {
  const node = randomUUID();
  // Marks of a killed node expire: by then every replica in service has replayed their positions.
  const expiresMs = Math.ceil(keptMs + spareMs);
  const connection = new Redis(url, {
    commandTimeout: commandTimeoutMs,
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 50, 500),
    scripts: { setMark: { lua: setMark, numberOfKeys: 1 }, listMarks: { lua: listMarks, numberOfKeys: 1 } },
  });
  const redis = connection as Redis & Scripts;
  let reported = false;
  let closed = false;
  redis.on('error', (err) => {
    if (reported || closed) return;
    reported = true;
    log.warn({ err }, 'Redis is unavailable: replicas serve no reads, since the writes of other nodes are unknown.');
  });
  redis.on('close', onLost);
  redis.on('ready', () => {
    if (reported) log.info('Redis is available again, and replicas serve reads.');
    reported = false;
    onConnect();
  });

  const write = (credential: string, value: string): Promise<boolean> => {
    if (redis.status !== 'ready') return Promise.resolve(false);
    return redis.setMark(prefix + credential, node, value, expiresMs).then(
      () => true,
      () => false,
    );
  };

  return {
    begin: (credential) => write(credential, busy),
    record: (credential, lsn) => write(credential, String(lsn)),
    async look(credential): Promise<SharedMark> {
      if (redis.status !== 'ready') return null;
      try {
        const values = await redis.listMarks(prefix + credential);
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
