import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createMemoryRateLimiter, type LocalRateLimiter, type Rate } from './rate-limit.ts';

const publishEveryMs = 500;
/** A node that has been silent for so long counts as stopped. */
const peerSilenceMs = 5_000;
/** Keeps a message below a quarter of a megabyte. */
const maxLevelsPerMessage = 2_000;

/** A bucket, its rate and its level. */
type Level = [key: string, requestsPerMinute: number, burstPerMinute: number, used: number];
type Message = { node: string; levels: Level[] };

export type SharedLevels = {
  /** The level of every bucket, as far as this node knows: at most half a second old. */
  readonly known: LocalRateLimiter;
  /** Records the level that Redis reported for a bucket, and sends it to the other nodes. */
  note(key: string, rate: Rate, used: number): void;
  /** The number of nodes, including this one. */
  countNodes(): number;
  close(): void;
};

/**
 * Shares the presence of the nodes and the levels of all buckets over a channel of the Redis that they use, so that
 * each can take over its part when Redis becomes unavailable.
 */
export function shareLevels(publisher: Redis, channel: string): SharedLevels {
  const node = randomUUID();
  const known = createMemoryRateLimiter();
  const changed = new Map<string, Rate>();
  const peers = new Map<string, number>();
  const subscriber = publisher.duplicate({ autoResubscribe: false });

  const receive = (text: string) => {
    const message = JSON.parse(text) as Message;
    if (message.node === node) return;
    peers.set(message.node, performance.now());
    for (const [key, requestsPerMinute, burstPerMinute, used] of message.levels) {
      known.raise(key, { requestsPerMinute, burstPerMinute }, used);
    }
  };
  const publish = () => {
    if (publisher.status !== 'ready') return;
    const levels: Level[] = [];
    for (const [key, rate] of changed) {
      if (levels.length === maxLevelsPerMessage) break;
      changed.delete(key);
      levels.push([key, rate.requestsPerMinute, rate.burstPerMinute, known.used(key, rate)]);
    }
    const message: Message = { node, levels };
    publisher.publish(channel, JSON.stringify(message)).catch(() => {});
  };

  subscriber.on('error', () => {});
  subscriber.on('ready', () => void subscriber.subscribe(channel).catch(() => {}));
  subscriber.on('message', (_channel, text) => receive(text));
  const timer = setInterval(publish, publishEveryMs).unref();

  return {
    known,
    note(key, rate, used) {
      known.restore(key, rate, used);
      changed.set(key, rate);
    },
    countNodes() {
      const since = performance.now() - peerSilenceMs;
      for (const [peer, heardAt] of peers) if (heardAt < since) peers.delete(peer);
      return 1 + peers.size;
    },
    close() {
      clearInterval(timer);
      subscriber.disconnect();
    },
  };
}
