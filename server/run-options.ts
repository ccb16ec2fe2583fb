import type { Config } from './config.ts';
import type { Lifecycle } from './platform/lifecycle.ts';
import type { Log } from './platform/log.ts';

/** What the API and the worker are started with. A file of its own: a worker that loaded the API took 60 MB more. */
export type RunOptions = {
  config: Config;
  /** As the role assay_app. */
  databaseUrl: string;
  secretKey: string;
  /** Directories of ours under which the first organization may use `file:` repositories, besides the operator's. */
  ownRepositories: string[];
  log: Log;
  lifecycle: Lifecycle;
  /** Holds every answer against its schema: for tests. */
  checkResponses?: boolean;
};

const hostInUrl = (host: string) => (host.includes(':') ? `[${host}]` : host);

/** The address that links carry when the operator sets none. */
export const baseUrlOf = ({ baseUrl, host, port }: Config): string =>
  baseUrl ?? `http://${hostInUrl(['0.0.0.0', '::'].includes(host) ? 'localhost' : host)}:${port}`;
