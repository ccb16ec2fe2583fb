import { list, type Read, url, wholeNumber } from './config-values.ts';

/** Streaming replicas of the database, for the API's reads; one that is further behind is not used. */
export type ReplicasConfig = { urls: string[]; maxLagMs: number };

export const postgresUrl = url(['postgres:', 'postgresql:'], 'postgresql://user:password@host:5432/assay');

export function readReplicas(read: Read, errors: string[]): ReplicasConfig {
  const urls = read<string[]>('DATABASE_READ_URL', [], (text) => list(text).map(postgresUrl));
  const maxLagSeconds = read('ASSAY_REPLICA_MAX_LAG_SECONDS', 5, wholeNumber(1, 600));
  if (urls.length > 0 && read('DATABASE_URL', '', (text) => text) === '') {
    errors.push('DATABASE_URL: must be set when DATABASE_READ_URL is: replicas belong to a PostgreSQL of your own.');
  }
  return { urls, maxLagMs: maxLagSeconds * 1_000 };
}
