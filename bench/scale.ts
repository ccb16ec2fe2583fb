import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { generateSarif } from '../scanner/readers/testing/generate-sarif.fixture.ts';
import { backUp } from '../server/platform/backup/backup.ts';
import { checkBackup, restoreDatabase } from '../server/platform/backup/restore.ts';
import { startEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';
import { commandOf, processTree } from '../tests/harness/processes.ts';
import { measureDisk } from './disk.ts';
import { measureEndpoints } from './endpoints.ts';
import { createUpload, importFile } from './import.ts';
import type { Row } from './measure.ts';
import { type FindingsDirectory, quietLog } from './prepare-findings.ts';
import { totalProcessorMs } from './processor-time.ts';
import { startServer } from './server-process.ts';

const results = 20_000;

/** Returns the processor time of each of PostgreSQL's processes below this one, in milliseconds. */
function postgresTimes(pid: number): Map<number, number> {
  const processes = processTree(pid).filter((one) => /postgres/.test(commandOf(one)));
  return new Map(processes.map((one) => [one, totalProcessorMs([one])]));
}

/** Imports new results into the largest organization, and then the same again. */
async function measureImports(findings: FindingsDirectory): Promise<Row[]> {
  const file = join(findings.directory, 'results.sarif');
  await pipeline(generateSarif(results), createWriteStream(file));
  const server = await startServer(findings.directory);
  try {
    const api = { address: server.address, token: findings.token };
    const dataSourceId = await createUpload(api, `pipeline ${Date.now()}`);
    const rows: Row[] = [];
    for (const what of ['new', 'known']) {
      const before = postgresTimes(server.pid);
      const { speed } = await importFile(api, server.pid, dataSourceId, file, results);
      const after = [...postgresTimes(server.pid)].map(([pid, ms]) => ms - (before.get(pid) ?? 0));
      const ms = after.reduce((sum, one) => sum + one, 0) / results;
      rows.push(
        { question: `Import of ${results} ${what} results`, value: speed, unit: '/s', bound: null },
        { question: `The same, PostgreSQL's processor time of one`, value: ms * 1000, unit: 'µs', bound: null },
      );
    }
    return rows;
  } finally {
    await server.stop();
    await rm(file, { force: true });
  }
}

/** Returns the processor time of a statement in PostgreSQL, in seconds. */
async function processorSecondsOf(client: pg.Client, text: string): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const before = totalProcessorMs([rows[0]!.pid]);
  await client.query(text);
  return (totalProcessorMs([rows[0]!.pid]) - before) / 1000;
}

async function secondsOf(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return (performance.now() - began) / 1000;
}

/** Measures vacuum after a hundredth of the findings has changed, and freezing all of them. */
async function measureVacuum(client: pg.Client): Promise<Row[]> {
  await client.query('VACUUM findings');
  await client.query('UPDATE findings SET version = version + 1 WHERE number % 100 = 0');
  const vacuum = await processorSecondsOf(client, 'VACUUM (PARALLEL 0) findings');
  const freeze = await processorSecondsOf(client, 'VACUUM (FREEZE, DISABLE_PAGE_SKIPPING, PARALLEL 0) findings');
  return [
    {
      question: 'Vacuum after a change of 1 % of the findings, processor time',
      value: vacuum,
      unit: 's',
      bound: null,
    },
    { question: 'Freezing all findings, processor time', value: freeze, unit: 's', bound: null },
  ];
}

/** Measures a backup, and restoring it in place of the database: twice the database may not fit on the disk. */
async function measureBackup(findings: FindingsDirectory, adminUrl: string): Promise<Row[]> {
  const directory = join(findings.directory, 'bench-backup');
  await rm(directory, { recursive: true, force: true });
  const installation = { adminUrl, dataDirectory: findings.directory, secretKey: 'k'.repeat(40), version: '0' };
  try {
    let bytes = 0;
    const backup = await secondsOf(async () => {
      bytes = (await backUp(installation, directory)).bytes;
    });
    const manifest = await checkBackup(directory);
    const maintenance = new URL(adminUrl);
    const name = maintenance.pathname.slice(1);
    maintenance.pathname = '/postgres';
    const client = new pg.Client({ connectionString: maintenance.href });
    await client.connect();
    await client.query(`DROP DATABASE ${pg.escapeIdentifier(name)} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    await client.end();
    const restore = await secondsOf(() => restoreDatabase(adminUrl, directory, manifest));
    return [
      { question: 'Backup', value: backup, unit: 's', bound: null },
      { question: 'Size of the backup', value: bytes / 1e9, unit: 'GB', bound: null },
      { question: 'Restoring it', value: restore, unit: 's', bound: null },
    ];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Measures what may grow with the findings of one primary. Backups don't know partitions: they are left out then. */
export async function measureScale(findings: FindingsDirectory, partitions: number): Promise<Row[]> {
  const rows = [
    ...(await measureDisk(findings)),
    ...(await measureEndpoints(findings, ['listFindings', 'getFinding', 'summarizeFindings'])),
    ...(await measureImports(findings)),
  ];
  const postgres = await startEmbeddedPostgres({ directory: findings.directory, log: quietLog(), what: 'bench' });
  const client = new pg.Client({ connectionString: postgres.adminUrl });
  try {
    await client.connect();
    rows.push(...(await measureVacuum(client)));
    await client.end();
    if (partitions === 0) rows.push(...(await measureBackup(findings, postgres.adminUrl)));
    return rows;
  } finally {
    await postgres.stop();
  }
}
