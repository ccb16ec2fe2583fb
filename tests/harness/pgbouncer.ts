import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { eventually } from './installation.ts';
import { makeServiceDirectory, type StockPostgres } from './stock-postgres.ts';

export type PgBouncer = {
  /** Returns the address of a database through the pooler. */
  url(database: string, login: string): string;
  stop(): Promise<void>;
};

/** Starts Debian's PgBouncer in front of a server for these logins, with default settings otherwise. */
export async function startPgBouncer(
  server: StockPostgres,
  mode: 'transaction' | 'session',
  logins: string[],
): Promise<PgBouncer> {
  const { directory, user } = makeServiceDirectory('assay-pgbouncer-');
  const configuration = {
    listen_port: '6432',
    unix_socket_dir: directory,
    auth_type: 'trust',
    auth_file: join(directory, 'users'),
    pool_mode: mode,
    server_login_retry: '1',
  };
  const lines = Object.entries(configuration).map(([name, value]) => `${name} = ${value}`);
  const file = join(directory, 'pgbouncer.ini');
  writeFileSync(configuration.auth_file, logins.map((login) => `"${login}" ""\n`).join(''));
  writeFileSync(file, `[databases]\n* = host=${server.directory}\n[pgbouncer]\n${lines.join('\n')}\n`);
  const child = spawn('/usr/sbin/pgbouncer', [file], { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'], ...user });
  process.once('exit', () => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = (database: string, login: string) =>
    `postgresql://${login}@localhost:6432/${database}?host=${encodeURIComponent(directory)}`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(errors);
    const client = new pg.Client({ connectionString: url('postgres', logins[0]!) });
    client.on('error', () => {});
    await client.connect();
    await client.end();
    return true;
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
