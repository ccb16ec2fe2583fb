import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { insertTenant } from '../server/findings/findings.fixture.ts';
import { openDatabase } from '../server/platform/postgres/database.ts';
import { startEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';
import { migrate } from '../server/platform/postgres/migrate.ts';
import { copyRows } from './copy-rows.ts';
import type { Row } from './measure.ts';
import { dataDirectory, quietLog } from './prepare-findings.ts';

const total = 100_000;

type Merged = { new: number; seen: number; seconds: number; megabytes: number };

async function mergeInProcess(url: string, orgId: string, dataSourceId: string): Promise<Merged> {
  const script = join(import.meta.dirname, 'merge-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, url, orgId, dataSourceId, String(total)]);
  return JSON.parse(stdout) as Merged;
}

/**
 * Measures merging detections into an empty organization, merging the same ones again, and a plain COPY of the rows.
 */
export async function measureMerge(): Promise<Row[]> {
  const directory = join(dataDirectory, 'merge');
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const postgres = await startEmbeddedPostgres({ directory, log: quietLog(), what: 'bench' });
  try {
    await migrate({ adminUrl: postgres.adminUrl });
    const database = openDatabase({ connectionString: postgres.appUrl, maxConnections: 1 });
    const { orgId, dataSourceId } = await insertTenant(database);
    await database.close();
    const first = await mergeInProcess(postgres.appUrl, orgId, dataSourceId);
    const again = await mergeInProcess(postgres.appUrl, orgId, dataSourceId);
    if (first.new !== total || again.seen !== total) throw new Error('The merge did not count all detections.');
    const client = new pg.Client({ connectionString: postgres.adminUrl });
    await client.connect();
    const [bare, indexed] = [await copyRows(client, false), await copyRows(client, true)];
    await client.end();
    const speed = total / first.seconds;
    return [
      { question: 'New findings merged', value: speed, unit: '/s', bound: '>= 10000' },
      { question: 'COPY of the same rows into such a table with its indexes', value: indexed, unit: '/s', bound: null },
      { question: 'Merge against that COPY', value: speed / indexed, unit: '', bound: '>= 0.25' },
      { question: 'COPY into such a table without indexes', value: bare, unit: '/s', bound: null },
      { question: 'The same findings merged again', value: total / again.seconds, unit: '/s', bound: '>= 30000' },
      { question: 'Memory of the merging process', value: first.megabytes, unit: 'MB', bound: '<= 300' },
    ];
  } finally {
    await postgres.stop();
  }
}

if (import.meta.main) {
  const { tableOf } = await import('./measure.ts');
  console.log(tableOf(await measureMerge()));
}
