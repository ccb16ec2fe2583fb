import { freePort, Service } from './service.ts';

/** Returns Debian's Redis without persistence, and its address. It is not started yet. */
export async function createRedis(): Promise<{ redis: Service; redisUrl: string }> {
  const port = await freePort();
  const redis = new Service({
    name: 'Redis',
    command: 'redis-server',
    args: ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    isReady: (output) => /Ready to accept connections/.test(output),
  });
  return { redis, redisUrl: `redis://127.0.0.1:${port}` };
}
