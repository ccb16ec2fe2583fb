import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openLog } from '../log.ts';
import type { Database } from '../postgres/database.ts';
import { listenForNotifications } from '../postgres/notifications.ts';
import { chooseServerUser } from '../postgres/postgres-program.ts';
import { requirePort, requireTemporaryFolder } from './check-machine.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-machine-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `assay start` on an empty data directory until it exits. */
function start(name: string, environment: Record<string, string>) {
  const data = join(folder, name);
  const program = fileURLToPath(new URL('../../assay.mjs', import.meta.url));
  const env = { PATH: process.env.PATH, HOME: folder, ASSAY_DATA_DIR: data, PORT: '0', ...environment };
  const { status, stderr } = spawnSync(process.execPath, [program, 'start'], {
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stderr, hasDatabase: existsSync(join(data, 'postgres')) };
}

test('a port in use is reported before the database is created, with the next step', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { status, stderr, hasDatabase } = start('port', { PORT: String(port) });
  server.close();
  assert.deepEqual([status, hasDatabase], [1, false], stderr);
  assert.match(stderr, new RegExp(`^assay: Port ${port} is in use by another program.*PORT=300\\d npm start\n$`));
  await requirePort(port, '127.0.0.1');
  await assert.rejects(requirePort(8080, '192.0.2.1'), /HOST=192\.0\.2\.1 is no address of this machine/);
});

test('a folder for temporary files that is missing or can’t be written is reported before anything is created', async () => {
  const missing = join(folder, 'nowhere');
  const { status, stderr, hasDatabase } = start('temporary', { TMPDIR: missing });
  assert.deepEqual([status, hasDatabase], [1, false], stderr);
  assert.match(
    stderr,
    /^assay: The folder for temporary files, \S+\/nowhere, does not exist\. .*TMPDIR=\/var\/tmp npm start\n$/,
  );
  const file = join(folder, 'file');
  writeFileSync(file, '');
  await assert.rejects(requireTemporaryFolder(file), /does not exist/);
  const sealed = mkdtempSync(join(folder, 'sealed-'));
  chmodSync(sealed, 0o500);
  // Root can write anywhere.
  if (process.getuid!() !== 0) await assert.rejects(requireTemporaryFolder(sealed), /is not writable by this user/);
  else await assert.rejects(requireTemporaryFolder('/proc'), /\/proc, (does not exist|is not writable|can't be used)/);
  await requireTemporaryFolder();
});

test('without a program that adds users, the message explains how root can still start', {
  skip: process.getuid!() !== 0,
}, () => {
  assert.throws(
    () => chooseServerUser(join(folder, 'none'), ['assay-nobody-has-this'], 'no-such-useradd'),
    /this machine has no no-such-useradd\. Start Assay as an ordinary user, add a system user named "assay" .* or set DATABASE_URL/,
  );
});

test('a listener that can’t connect says so in one plain line, without a stack', async () => {
  const lines: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const destination = {
    write(line: string) {
      lines.push(line);
      resolve();
    },
  };
  const database = { pool: { options: { connectionString: 'postgres://nobody@127.0.0.1:1/none' } } } as Database;
  const notifications = listenForNotifications(database, openLog({ level: 'warn', destination }), ['none'], 60_000);
  await promise;
  await notifications.close();
  const { msg, reason, err } = JSON.parse(lines[0]!);
  assert.match(msg, /^Not listening for changes; trying again soon\. /);
  assert.deepEqual([typeof reason, err, lines.join().includes('    at ')], ['string', undefined, false]);
});
