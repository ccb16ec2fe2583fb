import assert from 'node:assert/strict';
import { type ChildProcess, execSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { pino } from 'pino';
import { silentLog } from '../log.ts';
import { DirectoryInUse, openEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { listServerProcesses } from './postgres-process.ts';
import { isReachable } from './postgres-program.ts';
import { explainFailure, publicReason } from './postgres-server.ts';

const isRoot = process.getuid?.() === 0;
const moduleUrl = new URL('./embedded-postgres.ts', import.meta.url).href;
let parent: string;
const children: ChildProcess[] = [];

const start = (directory: string) => startEmbeddedPostgres({ directory, log: silentLog, what: 'assay test' });

before(async () => {
  parent = mkdtempSync(join(tmpdir(), 'assay-embedded-'));
  await (await start(join(parent, 'prepared'))).stop();
});
after(async () => {
  for (const child of children) await kill(child);
  rmSync(parent, { recursive: true, force: true });
});

/**
 * Returns a directory with a database that was started before: creating one takes longer than everything that a test
 * does with it.
 */
function copyPrepared(name: string): string {
  const directory = join(parent, name);
  execSync(`cp -a '${join(parent, 'prepared')}' '${directory}'`);
  return directory;
}

type Started = { child: ChildProcess; adminUrl: string };

/** Starts a database in a separate process, which can then be killed. */
async function startElsewhere(directory: string, user: { uid?: number; gid?: number } = {}): Promise<Started> {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(moduleUrl)};
    import { pino } from ${JSON.stringify(import.meta.resolve('pino'))};
    const running = await startEmbeddedPostgres({ directory: ${JSON.stringify(directory)}, log: pino({ level: 'silent' }), what: 'assay start' });
    running.setAddress('http://127.0.0.1:8080');
    process.on('SIGTERM', () => running.stop().then(() => process.exit(0)))
    console.log(running.adminUrl);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  children.push(child);
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const line = once(createInterface({ input: child.stdout }), 'line');
  const ended = once(child, 'close').then(([code]) => Promise.reject(new Error(`ended with ${code}: ${said}`)));
  const [adminUrl] = (await Promise.race([line, ended])) as [string];
  ended.catch(() => {});
  return { child, adminUrl };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/**
 * Inserts numbered rows until the connection breaks; `acknowledged` is the last number that the server has confirmed.
 */
async function insertUntilBroken(url: string, progress: { acknowledged: number }): Promise<void> {
  const client = await connect(url);
  await client.query('CREATE TABLE IF NOT EXISTS numbers (number int PRIMARY KEY)');
  try {
    for (let number = progress.acknowledged + 1; ; number++) {
      await client.query('INSERT INTO numbers VALUES ($1) ON CONFLICT DO NOTHING', [number]);
      progress.acknowledged = number;
    }
  } catch {
    // The server is gone.
  }
}

/** Kills a process, and waits until it and its lock on the data directory are gone. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 120_000;
  while (!(await condition())) {
    assert.ok(Date.now() < end, 'waited two minutes in vain');
    await delay(10);
  }
}

async function readMaximum(url: string): Promise<number> {
  const client = await connect(url);
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM numbers');
  await client.end();
  return rows[0]!.count;
}

describe('embedded PostgreSQL', () => {
  test('a server whose Assay was killed is stopped, and the next one serves its data', {
    timeout: 600_000,
  }, async () => {
    const directory = copyPrepared('orphaned');
    const progress = { acknowledged: 0 };
    const { child, adminUrl } = await startElsewhere(directory);
    const writing = insertUntilBroken(adminUrl, progress);
    await waitFor(() => progress.acknowledged >= 100);
    await kill(child);
    const orphans = listServerProcesses(join(directory, 'postgres'));
    assert.notEqual(orphans.length, 0);
    const running = await start(directory);
    await writing;
    assert.ok((await readMaximum(running.adminUrl)) >= progress.acknowledged);
    assert.ok(!orphans.includes(running.pid!));
    await running.stop();
  });

  test('a second start says what is running, and harms nothing', { timeout: 600_000 }, async () => {
    const directory = copyPrepared('twice');
    const { child, adminUrl } = await startElsewhere(directory);
    const client = await connect(adminUrl);
    await assert.rejects(start(directory), (error: Error) => {
      assert.ok(error instanceof DirectoryInUse);
      assert.match(
        error.message,
        new RegExp(`already running .* pid ${child.pid}, since 20.*, at http://127.0.0.1:8080`),
      );
      return true;
    });
    const beside = await openEmbeddedPostgres({ directory, log: silentLog });
    assert.equal(beside.adminUrl, adminUrl);
    await beside.stop();
    assert.equal((await client.query('SELECT 1 AS one')).rows[0].one, 1);
    await client.end();
    child.kill('SIGTERM');
    await once(child, 'exit').catch(() => {});
  });

  test('one of several simultaneous starts succeeds and the others say what runs', { timeout: 600_000 }, async () => {
    const directory = join(parent, 'race');
    const outcomes = await Promise.allSettled([start(directory), start(directory), start(directory)]);
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    assert.equal(won.length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof DirectoryInUse);
    }
    await won[0]!.value.stop();
  });

  test('a server that exits repeatedly is reported once with the last line of its log, and in the probes', {
    timeout: 600_000,
  }, async () => {
    const directory = copyPrepared('looping');
    const lines: Array<Record<string, unknown>> = [];
    const log = pino({}, { write: (text: string) => void lines.push(JSON.parse(text)) });
    const running = await startEmbeddedPostgres({ directory, log, what: 'assay test' });
    assert.equal(running.trouble, null);
    const settings = join(directory, 'postgres', 'postgresql.conf');
    const before = readFileSync(settings, 'utf8');
    writeFileSync(settings, `${before}\nno_such_setting = 1\n`);
    process.kill(running.pid!, 'SIGKILL');
    await waitFor(() => running.trouble !== null);
    assert.match(running.trouble!, /cannot be restarted: the log of this service says why/);
    // Several attempts fail during the wait.
    const attempts = () => readFileSync(join(directory, 'postgres.log'), 'utf8').split('contains errors').length - 1;
    await waitFor(() => attempts() >= 3);
    const failures = lines.filter(({ msg }) => String(msg).includes('could not be restarted'));
    assert.equal(failures.length, 1, JSON.stringify(lines));
    assert.match(String(failures[0]!.reason), /FATAL.*contains errors/);
    const ends = lines.filter(({ msg }) => String(msg).includes('ended unexpectedly'));
    assert.deepEqual(
      ends.map(({ signal }) => signal),
      ['SIGKILL'],
    );
    assert.ok('lastLine' in ends[0]!);
    writeFileSync(settings, before);
    await waitFor(() => running.trouble === null && running.pid !== null);
    await running.stop();
  });

  test('a full disk is reported as the reason, with the last line of the log', () => {
    const logFile = join(parent, 'full.log');
    const last = 'PANIC:  could not write to file "pg_wal/xlogtemp.1": No space left on device';
    writeFileSync(logFile, `LOG:  earlier start\nLOG:  starting\n${last}\n`);
    const said = explainFailure(parent, logFile, 0);
    assert.match(said, /the disk is full \(\d+ MB are free/);
    assert.ok(said.endsWith(last), said);
    assert.equal(
      publicReason(new Error(said)),
      'The database stopped and cannot be restarted: its disk is full. The operator has to make room.',
    );
  });

  test('a pid file that names an innocent process does not keep the server from starting', {
    timeout: 600_000,
  }, async () => {
    const directory = copyPrepared('reused');
    writeFileSync(join(directory, 'postgres', 'postmaster.pid'), `${process.pid}\n`);
    await (await start(directory)).stop();
  });

  test('the service has its own role and password, in files that only we can read', {
    timeout: 600_000,
  }, async () => {
    const directory = join(parent, 'roles');
    const running = await start(directory);
    const client = await connect(running.appUrl);
    const { rows } = await client.query(
      'SELECT rolname, rolsuper, rolbypassrls, rolcreatedb FROM pg_roles WHERE rolname = current_user',
    );
    assert.deepEqual(rows, [{ rolname: 'assay_app', rolsuper: false, rolbypassrls: false, rolcreatedb: false }]);
    await client.end();
    await running.stop();
    assert.equal(statSync(join(directory, 'postgres-credentials.json')).mode & 0o777, 0o600);
    assert.equal(statSync(directory).mode & 0o777, 0o700);
    const [admin, app] = [running.adminUrl, running.appUrl].map((url) => new URL(url).password);
    assert.notEqual(admin, app);
  });

  test('a damaged directory, or one of another program, is refused with instructions', {
    timeout: 600_000,
  }, async () => {
    const damaged = join(parent, 'damaged');
    mkdirSync(join(damaged, 'postgres'), { recursive: true });
    await assert.rejects(start(damaged), /is damaged: .* Restore a backup/);

    const older = copyPrepared('older');
    writeFileSync(join(older, 'postgres', 'PG_VERSION'), '16\n');
    await assert.rejects(start(older), /was created by PostgreSQL 16, .* pg_dump/);

    writeFileSync(join(older, 'postgres', 'PG_VERSION'), '18\n');
    rmSync(join(older, 'postgres', 'pg_wal'), { recursive: true });
    await assert.rejects(start(older), /PostgreSQL did not start: .*pg_wal.*postgres\.log/);
  });

  test('a path too long for a socket still works', { timeout: 600_000 }, async () => {
    const running = await start(join(parent, 'long'.repeat(30)));
    await (await connect(running.appUrl)).end();
    await running.stop();
  });

  test('as root: the server runs as another user, even below a folder that only root can enter', {
    skip: !isRoot,
    timeout: 600_000,
  }, async () => {
    const closed = join(parent, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o700);
    const running = await start(join(closed, 'data'));
    const status = readFileSync(`/proc/${running.pid}/status`, 'utf8');
    assert.doesNotMatch(status, /^Uid:\s+0/m);
    await running.stop();
  });

  test('as root: a copy with another owner is refused with a command that fixes it', {
    skip: !isRoot,
    timeout: 600_000,
  }, async () => {
    const copy = join(parent, 'copy');
    cpSync(join(parent, 'prepared'), copy, { recursive: true });
    chmodSync(join(copy, 'postgres'), 0o755);
    const refused = await start(copy).then(
      () => assert.fail('it started'),
      (error: Error) => error.message,
    );
    const command = /: (chown -R .*)$/.exec(refused)?.[1];
    assert.ok(command, refused);
    execSync(command);
    await (await start(copy)).stop();
  });

  const nobody = { uid: 65534, gid: 65534 };
  const reachable =
    isRoot &&
    isReachable(fileURLToPath(new URL('.', import.meta.url)), nobody) &&
    isReachable(process.execPath, nobody);
  test('as an ordinary user: the server runs as that user', { skip: !reachable, timeout: 600_000 }, async () => {
    chmodSync(parent, 0o711);
    const directory = join(parent, 'ordinary');
    mkdirSync(directory);
    chownSync(directory, nobody.uid, nobody.gid);
    const { child } = await startElsewhere(directory, nobody);
    for (const pid of listServerProcesses(join(directory, 'postgres'))) {
      assert.equal(statSync(`/proc/${pid}`).uid, nobody.uid);
      assert.doesNotMatch(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), /logical replication/, 'unused processes');
    }
    child.kill('SIGTERM');
    await waitFor(() => listServerProcesses(join(directory, 'postgres')).length === 0);
    await kill(child);
    // The state after root has restored files.
    chownSync(join(directory, 'postgres'), 0, 0);
    await assert.rejects(startElsewhere(directory, nobody), (error: Error) => /sudo chown -R/.test(error.message));
  });
});
