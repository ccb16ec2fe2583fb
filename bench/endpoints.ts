import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';
import { changeNumber } from './change-number.ts';
import { percentile, type Row } from './measure.ts';
import { setPassword, signIn } from './owner.ts';
import { type FindingsDirectory, quietLog } from './prepare-findings.ts';
import { totalProcessorMs } from './processor-time.ts';
import { type ApiDocument, type ReadEndpoint, readEndpoints } from './read-endpoints.ts';
import { getJson, timeRequest } from './requests.ts';
import { startServer } from './server-process.ts';

const warmUps = 10;
const repetitions = 200;
/**
 * The number of consecutive requests to one endpoint, in several rounds, so that other load on the machine affects
 * all endpoints alike.
 */
const perRound = 20;

type Measured = { endpoint: ReadEndpoint; apiMs: number; databaseMs: number; times: number[] };

/** Returns the process ids of the API's connections to the database. */
async function listBackends(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'assay api'`,
  );
  return rows.map(({ pid }) => pid);
}

/**
 * Times each endpoint. With `changing`, something changes before each request, so that no cached figures are used.
 */
async function timeEndpoints(findings: FindingsDirectory, changing: boolean, only?: string[]): Promise<Measured[]> {
  const document: ApiDocument = JSON.parse(await readFile(join(import.meta.dirname, '..', 'openapi.json'), 'utf8'));
  const endpoints = readEndpoints(document).filter(({ operationId }) => !only || only.includes(operationId));
  const server = await startServer(findings.directory);
  const { adminUrl } = await openEmbeddedPostgres({ directory: findings.directory, log: quietLog() });
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await setPassword(findings);
    const token = { authorization: `Bearer ${findings.token}` };
    const session = { cookie: await signIn(server.address) };
    const calls = await Promise.all(
      endpoints.map(async (endpoint) => {
        const headers = endpoint.needsSession ? session : token;
        const list = endpoint.idFrom && (await getJson(`${server.address}${endpoint.idFrom}`, headers));
        const id = list ? (list as { data: Array<{ id: string }> }).data[0]?.id : '';
        if (id === undefined)
          throw new Error(`${endpoint.idFrom} returned nothing: ${endpoint.operationId} is not measured.`);
        const base = endpoint.isOutside ? new URL(server.address).origin : server.address;
        const url = `${base}${endpoint.path.replace('{id}', id)}?${endpoint.query}`;
        return { endpoint, url, headers, apiMs: 0, databaseMs: 0, times: [] as number[] };
      }),
    );
    for (const { url, headers } of calls) for (let run = 0; run < warmUps; run++) await timeRequest(url, headers);
    for (let round = 0; round < repetitions / perRound; round++) {
      for (const call of calls) {
        const backends = await listBackends(client);
        const before = [totalProcessorMs([server.pid]), totalProcessorMs(backends)] as const;
        for (let run = 0; run < perRound; run++) {
          if (changing) await changeNumber(client, findings.orgId);
          call.times.push(await timeRequest(call.url, call.headers));
        }
        call.apiMs += (totalProcessorMs([server.pid]) - before[0]) / repetitions;
        call.databaseMs += (totalProcessorMs(backends) - before[1]) / repetitions;
      }
    }
    return calls;
  } finally {
    await client.end();
    await server.stop();
  }
}

/**
 * Measures every read endpoint, or only these operations: the processor time of API and PostgreSQL per request, and
 * the 99th percentile of its duration.
 */
export async function measureEndpoints(findings: FindingsDirectory, only?: string[]): Promise<Row[]> {
  const measured = await timeEndpoints(findings, false, only);
  return measured.flatMap(({ endpoint: { path, query }, apiMs, databaseMs, times }): Row[] => {
    const name = `GET ${path}${query && `?${query.slice(0, 40)}`}`;
    return [
      { question: `${name}, processor time`, value: apiMs + databaseMs, unit: 'ms', bound: '<= 3' },
      { question: `${name}, p99`, value: percentile(times, 0.99), unit: 'ms', bound: '<= 30' },
    ];
  });
}

if (import.meta.main) {
  const { prepareFindings } = await import('./prepare-findings.ts');
  const { values, positionals } = parseArgs({ options: { changing: { type: 'boolean' } }, allowPositionals: true });
  const [count = '100000', ...only] = positionals;
  const findings = await prepareFindings(Number(count));
  const measured = await timeEndpoints(findings, values.changing ?? false, only.length > 0 ? only : undefined);
  console.log('     API  PostgreSQL  together     p50     p99');
  for (const { endpoint, apiMs, databaseMs, times } of measured) {
    const figures = [apiMs, databaseMs, apiMs + databaseMs, percentile(times, 0.5), percentile(times, 0.99)];
    console.log(...figures.map((figure) => figure.toFixed(2).padStart(8)), ` ${endpoint.operationId}`);
  }
}
