import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { Service } from '../soak/service.ts';
import { makeServiceDirectory, type StockPostgres } from './stock-postgres.ts';

export type PgBouncer = {
  /** The process, for tests that kill and restart it. */
  service: Service;
  /** Returns the address of a database through the pooler. */
  url(database: string, login: string): string;
  stop(): Promise<void>;
};

/** Starts Debian's PgBouncer in front of a server for these logins, otherwise with default settings. */
export async function startPgBouncer(
  server: StockPostgres,
  mode: 'transaction' | 'session',
  logins: string[],
  settings: Record<string, string> = {},
): Promise<PgBouncer> {
  const { directory, user } = makeServiceDirectory('assay-pgbouncer-');
  const configuration = {
    listen_port: '6432',
    unix_socket_dir: directory,
    auth_type: 'trust',
    auth_file: join(directory, 'users'),
    pool_mode: mode,
    server_login_retry: '1',
    ...settings,
  };
  const lines = Object.entries(configuration).map(([name, value]) => `${name} = ${value}`);
  const file = join(directory, 'pgbouncer.ini');
  writeFileSync(configuration.auth_file, logins.map((login) => `"${login}" ""\n`).join(''));
  writeFileSync(file, `[databases]\n* = host=${server.directory}\n[pgbouncer]\n${lines.join('\n')}\n`);
  const url = (database: string, login: string) =>
    `postgresql://${login}@localhost:6432/${database}?host=${encodeURIComponent(directory)}`;
  const service = new Service({
    name: 'PgBouncer',
    command: '/usr/sbin/pgbouncer',
    args: [file],
    options: { cwd: directory, ...user },
    startsWithinMs: 120_000,
    async isReady() {
      const client = new pg.Client({ connectionString: url('postgres', logins[0]!), connectionTimeoutMillis: 2_000 });
      client.on('error', () => {});
      await client.connect();
      await client.end();
      return true;
    },
  });
  process.once('exit', () => void service.stop('SIGKILL'));
  await service.start();
  return {
    service,
    url,
    async stop() {
      await service.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
