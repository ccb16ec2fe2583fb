import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { FindingFilters } from '../server/findings/filters/table.ts';
import { insertTenant } from '../server/findings/findings.fixture.ts';
import { listFindings } from '../server/findings/listing/list-findings.ts';
import type { Sort } from '../server/findings/orders.ts';
import { openDatabase } from '../server/platform/postgres/database.ts';
import { startEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';
import { migrate } from '../server/platform/postgres/migrate.ts';
import { StockPostgres } from '../tests/harness/stock-postgres.ts';
import { loadDataset } from './dataset.ts';
import { percentile, type Row } from './measure.ts';
import { dataDirectory, quietLog } from './prepare-findings.ts';

const total = 100_000;
const runs = 30;

const filters: FindingFilters[] = [
  { status: ['new'], severity: ['high'] },
  { severity: ['critical', 'high'] },
  { status: ['new', 'triaged'], severity: ['medium'] },
  {},
];
const sorts: Sort[] = ['-first_seen_at', '-severity', '-updated_at'];

type Measured = { listMs: number; mergedPerSecond: number };

/** Measures lists in the middle of 100,000 findings, one at a time, and the merge of as many new ones. */
async function measure(adminUrl: string, appUrl: string): Promise<Measured> {
  await migrate({ adminUrl });
  const database = openDatabase({ connectionString: appUrl, maxConnections: 2 });
  const listed = await insertTenant(database);
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await loadDataset(client, { orgId: listed.orgId, memberCount: 30, dataSourceCount: 240 }, total);
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    for (const filter of filters) {
      for (const sort of sorts) {
        const began = performance.now();
        await listFindings(database, listed.orgId, { filters: filter, sort, after: null, limit: 51 });
        if (run >= 3) times.push(performance.now() - began);
      }
    }
  }
  const { orgId, dataSourceId } = await insertTenant(database);
  const script = join(import.meta.dirname, 'merge-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, appUrl, orgId, dataSourceId, String(total)]);
  await Promise.all([client.end(), database.close()]);
  return {
    listMs: percentile(times, 0.5),
    mergedPerSecond: total / (JSON.parse(stdout) as { seconds: number }).seconds,
  };
}

async function measureEmbedded(): Promise<Measured> {
  const directory = join(dataDirectory, 'own-database');
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const postgres = await startEmbeddedPostgres({ directory, log: quietLog(), what: 'bench' });
  try {
    return await measure(postgres.adminUrl, postgres.appUrl);
  } finally {
    await postgres.stop();
  }
}

async function measureStock(): Promise<Measured> {
  const server = new StockPostgres();
  try {
    await server.start();
    await server.admin.query('CREATE DATABASE assay');
    return await measure(server.url('assay'), server.url('assay'));
  } finally {
    await server.remove();
  }
}

/** Compares Debian's PostgreSQL with its default settings and the embedded one. */
export async function measureOwnDatabase(): Promise<Row[]> {
  const embedded = await measureEmbedded();
  const stock = await measureStock();
  const size = total.toLocaleString('en-US');
  return [
    { question: `Lists of ${size} findings, p50, Debian's PostgreSQL`, value: stock.listMs, unit: 'ms', bound: null },
    { question: 'The same against the embedded one', value: stock.listMs / embedded.listMs, unit: '', bound: '<= 1.5' },
    { question: "New findings merged, Debian's PostgreSQL", value: stock.mergedPerSecond, unit: '/s', bound: null },
    {
      question: 'Time of this merge against the embedded one',
      value: embedded.mergedPerSecond / stock.mergedPerSecond,
      unit: '',
      bound: '<= 1.5',
    },
  ];
}

if (import.meta.main) {
  const { tableOf } = await import('./measure.ts');
  console.log(tableOf(await measureOwnDatabase()));
}
