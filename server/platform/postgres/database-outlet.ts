import type { Outlet } from '@assay/scanner/platform/sandbox/outlets.ts';
import pg from 'pg';

/** Returns the server that the driver connects to for a database URL, and the files that the driver reads for it. */
export function databaseOutlet(connectionString: string): { outlet: Outlet; reads: string[] } {
  const { host, port } = new pg.Client({ connectionString });
  const parameters = URL.parse(connectionString)?.searchParams;
  const files = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => parameters?.get(name));
  return {
    outlet: host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port },
    reads: files.filter((file) => file !== null && file !== undefined),
  };
}
