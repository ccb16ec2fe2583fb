import { createWriteStream, openAsBlob, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { generateSarif } from '../scanner/readers/testing/generate-sarif.fixture.ts';
import { startEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';
import { commandOf, processTree } from '../tests/harness/processes.ts';
import { copyRows } from './copy-rows.ts';
import { percentile, type Row } from './measure.ts';
import { memoryOf } from './memory.ts';
import { dataDirectory, prepareOrganization, quietLog } from './prepare-findings.ts';
import { startServer } from './server-process.ts';

const maxMegabytes = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1000;

/**
 * Returns the peak memory of the API, its worker and the process that reads result files since they started, in
 * megabytes; 0 for a process that is not running.
 */
function peakMegabytes(pid: number): { api: number; worker: number; importer: number } {
  const processes = processTree(pid);
  // The sandbox's own processes have the same arguments as the importer in it.
  const largest = (module: string) =>
    Math.max(0, ...processes.filter((one) => commandOf(one).includes(module)).map(maxMegabytes));
  return { api: maxMegabytes(pid), worker: largest('worker-process'), importer: largest('import-process') };
}

const total = 100_000;
const many = 1_000_000;

type Api = { address: string; token: string };
type Scan = { id: string; status: string; findings: { new: number; seen: number } };

async function ask<ApiResponse>({ address, token }: Api, path: string, init: RequestInit = {}): Promise<ApiResponse> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${address}${path}`, { ...init, headers });
  if (!response.ok) throw new Error(`${response.status} for ${path}: ${await response.text()}`);
  return (await response.json()) as ApiResponse;
}

/**
 * Sends the file and follows its scan to the end. Returns the seconds from the first byte on, the findings per second,
 * their counts, and the peak memory of the process that read the file. Each poll of the scan costs the server 2 ms of
 * processor time, which is missing for the import.
 */
export async function importFile(
  api: Api,
  pid: number,
  dataSourceId: string,
  file: string,
  results: number,
  lookEveryMs = 100,
) {
  const body = (await openAsBlob(file)).stream();
  const began = performance.now();
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  let scan = await ask<Scan>(api, `/data-sources/${dataSourceId}/imports`, init);
  const { importer } = peakMegabytes(pid);
  while (scan.status === 'queued' || scan.status === 'running') {
    await delay(lookEveryMs);
    scan = await ask<Scan>(api, `/scans/${scan.id}`);
  }
  const seconds = (performance.now() - began) / 1000;
  if (scan.status !== 'completed') throw new Error(`The import ended as ${scan.status}.`);
  return { ...scan.findings, seconds, speed: results / seconds, importer };
}

/** Creates a data source for result files, and returns its id. */
export async function createUpload(api: Api, name: string): Promise<string> {
  const body = JSON.stringify({ kind: 'upload', name });
  return (await ask<{ id: string }>(api, '/data-sources', { method: 'POST', body })).id;
}

/** Imports files with one result, the first with an importer that is not running yet. Returns their times. */
async function importOnes(api: Api, pid: number, directory: string): Promise<{ cold: number; warm: number }> {
  const file = join(directory, 'one.sarif');
  await pipeline(generateSarif(1), createWriteStream(file));
  const id = await createUpload(api, 'one');
  const seconds: number[] = [];
  for (let count = 0; count < 12; count += 1) seconds.push((await importFile(api, pid, id, file, 1, 5)).seconds);
  return { cold: seconds[0]!, warm: percentile(seconds.slice(1), 0.5) };
}

/** Starts an empty server and imports a file with this many results twice. */
async function importTwice(directory: string, results: number) {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const { token } = await prepareOrganization(directory);
  const file = join(directory, 'results.sarif');
  await pipeline(generateSarif(results), createWriteStream(file));
  const server = await startServer(directory);
  try {
    const api = { address: server.address, token };
    const one = await importOnes(api, server.pid, directory);
    const id = await createUpload(api, 'pipeline');
    const first = await importFile(api, server.pid, id, file, results);
    const again = await importFile(api, server.pid, id, file, results);
    if (first.new !== results || again.seen !== results)
      throw new Error('The import did not count all results of the file.');
    const { api: apiMegabytes, worker } = peakMegabytes(server.pid);
    const importer = Math.max(first.importer, again.importer);
    const all = memoryOf(processTree(server.pid));
    return { one, first, again, megabytes: { api: apiMegabytes, worker, importer, all } };
  } finally {
    await server.stop();
    await rm(file, { force: true });
  }
}

async function copyOf(directory: string): Promise<number> {
  const postgres = await startEmbeddedPostgres({ directory, log: quietLog(), what: 'bench' });
  const client = new pg.Client({ connectionString: postgres.adminUrl });
  try {
    await client.connect();
    return await copyRows(client, true);
  } finally {
    await client.end();
    await postgres.stop();
  }
}

/**
 * Measures the import of a result file through the API of a normal server, from its first byte to the end of its
 * scan.
 */
export async function measureImport(): Promise<Row[]> {
  const directory = join(dataDirectory, 'import');
  const { one, first, again, megabytes } = await importTwice(directory, total);
  const copied = await copyOf(directory);
  const double = await importTwice(directory, 2 * total);
  const large = await importTwice(directory, many);
  await rm(directory, { recursive: true, force: true });
  return [
    { question: 'Import of 100,000 new results', value: first.speed, unit: '/s', bound: '>= 12000' },
    {
      question: 'Import against COPY of its rows, with indexes',
      value: first.speed / copied,
      unit: '',
      bound: '>= 0.6',
    },
    {
      question: 'Time of 200,000 new results against that of 100,000',
      value: double.first.seconds / first.seconds,
      unit: '',
      bound: '<= 2.2',
    },
    { question: 'The same file again', value: again.speed, unit: '/s', bound: '>= 25000' },
    { question: 'Import of one result', value: one.warm, unit: 's', bound: '<= 0.05' },
    { question: 'The same, with a new importer', value: one.cold, unit: 's', bound: '<= 0.3' },
    { question: 'Memory of all processes after these imports', value: megabytes.all, unit: 'MB', bound: null },
    { question: 'Peak memory of the API during these imports', value: megabytes.api, unit: 'MB', bound: '<= 300' },
    { question: 'Memory of the importer', value: megabytes.importer, unit: 'MB', bound: '<= 300' },
    { question: 'Memory of the worker', value: megabytes.worker, unit: 'MB', bound: '<= 300' },
    { question: 'Import of 1,000,000 new results', value: large.first.speed, unit: '/s', bound: null },
    { question: 'The same 1,000,000 again', value: large.again.speed, unit: '/s', bound: null },
    { question: 'Memory of the API with 1,000,000', value: large.megabytes.api, unit: 'MB', bound: '<= 300' },
    { question: 'Memory of the importer with 1,000,000', value: large.megabytes.importer, unit: 'MB', bound: '<= 300' },
    { question: 'Memory of the worker with 1,000,000', value: large.megabytes.worker, unit: 'MB', bound: '<= 300' },
  ];
}

if (import.meta.main) {
  const { tableOf } = await import('./measure.ts');
  console.log(tableOf(await measureImport()));
}
