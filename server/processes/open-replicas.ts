import { readChangeHorizon } from '../findings/change-clock.ts';
import type { Database } from '../platform/postgres/database.ts';
import type { Replicas, ReplicasOptions } from '../platform/postgres/replicas/replicas.ts';
import type { RunOptions } from './run-options.ts';

/** Opens the replicas of DATABASE_READ_URL, until the lifecycle stops; null without any. */
export async function openReplicas(
  database: Database,
  { config, databaseUrl, log, lifecycle }: Pick<RunOptions, 'config' | 'databaseUrl' | 'log' | 'lifecycle'>,
  own: Pick<ReplicasOptions, 'redisUrl' | 'pool'>,
): Promise<Replicas | null> {
  const { urls: readUrls, maxLagMs } = config.replicas;
  if (readUrls.length === 0) return null;
  const { Replicas } = await import('../platform/postgres/replicas/replicas.ts');
  const replicas = new Replicas({ database, databaseUrl, readUrls, maxLagMs, mark: readChangeHorizon, log, ...own });
  await lifecycle.onStop('replicas', () => replicas.close());
  return replicas;
}
