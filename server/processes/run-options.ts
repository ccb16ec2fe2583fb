import type { Config } from '../config/config.ts';
import manifest from '../package.json' with { type: 'json' };
import type { Installation } from '../platform/backup/backup.ts';
import type { Lifecycle } from '../platform/lifecycle.ts';
import type { Log } from '../platform/log.ts';
import { findEmbeddedUrls } from '../platform/postgres/embedded-postgres.ts';

/** Options of the API and the worker, in a separate file because a worker that loads the API takes 60 MB more. */
export type RunOptions = {
  config: Config;
  /** A connection URL for the role assay_app. */
  databaseUrl: string;
  secretKey: string;
  /**
   * Our own directories in which the first organization may use `file:` repositories, in addition to the operator's.
   */
  ownRepositories: string[];
  /** The reason why the embedded database does not run, as a sentence that anyone may read; null while it runs. */
  databaseTrouble?: () => string | null;
  log: Log;
  lifecycle: Lifecycle;
  /** Checks every response against its schema: for tests. */
  checkResponses?: boolean;
};

const hostInUrl = (host: string) => (host.includes(':') ? `[${host}]` : host);

/** The base URL of links when the operator sets none. */
export const baseUrlOf = ({ baseUrl, host, port }: Config): string =>
  baseUrl ?? `http://${hostInUrl(['0.0.0.0', '::'].includes(host) ? 'localhost' : host)}:${port}`;

/** Returns the installation to back up. */
export async function findInstallation({
  config: { databaseUrl, dataDirectory },
  secretKey,
}: Pick<RunOptions, 'config' | 'secretKey'>): Promise<Installation> {
  const adminUrl = databaseUrl ?? findEmbeddedUrls(dataDirectory)?.adminUrl;
  if (adminUrl === undefined) throw new Error(`There is no database in ${dataDirectory}.`);
  return { adminUrl, dataDirectory, secretKey, version: manifest.version };
}
