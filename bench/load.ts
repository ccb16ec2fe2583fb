import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { generateSarif } from '../scanner/readers/testing/generate-sarif.fixture.ts';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';
import { commandOf, processTree } from '../tests/harness/processes.ts';
import { listQuestions, type Question } from './growth-questions.ts';
import { createUpload, importFile } from './import.ts';
import type { Row } from './measure.ts';
import { memoryOf } from './memory.ts';
import { dataDirectory, type FindingsDirectory, quietLog } from './prepare-findings.ts';
import { getJson } from './requests.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const people = 8;
const pauseMs = 50;
const importEveryMs = 20_000;
const results = 1_000;

const pick = <T>(values: T[]): T => values[Math.floor(Math.random() * values.length)]!;

/** Reads, changes and comments like a person, until the deadline: half of the requests are lists. */
async function work(
  { address }: ServerProcess,
  token: string,
  { ids, questions }: { ids: string[]; questions: Question[] },
  deadline: number,
): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send = async (method: string, path: string, body: object) => {
    const response = await fetch(`${address}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${response.status} for ${method} ${path}: ${await response.text()}`);
    await response.arrayBuffer();
  };
  const get = (path: string) => getJson(`${address}${path}`, headers);
  const lists = [
    '/data-sources',
    '/scans',
    '/audit-events',
    '/reports',
    '/organization',
    '/decisions',
    '/tags',
    '/rules',
  ];
  let requests = 0;
  for (; performance.now() < deadline; requests++) {
    const { filters, sort } = pick(questions);
    const query = new URLSearchParams(filters).toString();
    const dice = Math.random();
    if (dice < 0.5) await get(`/findings?limit=50&sort=${sort}&${query}`);
    else if (dice < 0.6) await get(`/findings/${pick(ids)}`);
    else if (dice < 0.65) await get(`/findings/facets?field=severity,status,source,rule&${query}`);
    else if (dice < 0.7) await get(`/findings/summary?${query}`);
    else if (dice < 0.8) await get(pick(lists));
    else if (dice < 0.95)
      await send('PATCH', `/findings/${pick(ids)}`, { status: pick(['new', 'triaged', 'in_progress']) });
    else await send('POST', `/findings/${pick(ids)}/comment`, { comment: 'Rotated.' });
    await delay(pauseMs);
  }
  return requests;
}

async function importAndReport(server: ServerProcess, token: string, deadline: number): Promise<void> {
  const api = { address: server.address, token };
  const file = join(dataDirectory, 'load.sarif');
  await pipeline(generateSarif(results), createWriteStream(file));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  try {
    for (let round = 0; performance.now() < deadline; round++) {
      await importFile(api, server.pid, await createUpload(api, `load ${Date.now()}`), file, results);
      if (round % 6 === 0)
        await fetch(`${server.address}/reports`, { method: 'POST', headers, body: '{"title":"Load"}' });
      await delay(Math.max(0, Math.min(importEveryMs, deadline - performance.now())));
    }
  } finally {
    await rm(file, { force: true });
  }
}

async function columnMegabytes({ address }: ServerProcess): Promise<number> {
  const metrics = await (await fetch(new URL('/metrics', address))).text();
  return Number(/^assay_columns_bytes (\S+)/m.exec(metrics)?.[1] ?? 0) / 1e6;
}

/**
 * Measures the memory of all processes at the end of a load of lists under any two filters, single findings, figures,
 * changes, imports and reports.
 */
export async function measureLoad(findings: FindingsDirectory, minutes: number): Promise<Row[]> {
  const server = await startServer(findings.directory);
  const { adminUrl } = await openEmbeddedPostgres({ directory: findings.directory, log: quietLog() });
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const questions = await listQuestions(client, findings.orgId);
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM findings WHERE org_id = $1 AND status = 'new' ORDER BY md5(id) LIMIT 1000`,
      [findings.orgId],
    );
    const ids = rows.map(({ id }) => id);
    await client.end();
    const deadline = performance.now() + minutes * 60_000;
    const workers = Array.from({ length: people }, () => work(server, findings.token, { ids, questions }, deadline));
    const [, ...requests] = await Promise.all([importAndReport(server, findings.token, deadline), ...workers]);
    const pids = processTree(server.pid);
    const columns = await columnMegabytes(server);
    const connections = pids.filter((pid) => /^postgres: \S+ \S+ /.test(commandOf(pid)));
    const largest = Math.max(...connections.map((pid) => memoryOf([pid])));
    const time = `${minutes} minutes of load`;
    return [
      { question: `Requests in ${time}`, value: requests.reduce((sum, one) => sum + one, 0), unit: '', bound: null },
      {
        question: `Memory after ${time}, without columns`,
        value: memoryOf(pids) - columns,
        unit: 'MB',
        bound: '<= 450',
      },
      { question: 'Columns then', value: columns, unit: 'MB', bound: null },
      {
        question: `PostgreSQL's ${connections.length} connections then`,
        value: memoryOf(connections),
        unit: 'MB',
        bound: null,
      },
      { question: 'The largest of them', value: largest, unit: 'MB', bound: null },
    ];
  } finally {
    await server.stop();
  }
}

if (import.meta.main) {
  const { tableOf } = await import('./measure.ts');
  const { prepareFindings } = await import('./prepare-findings.ts');
  console.log(tableOf(await measureLoad(await prepareFindings(200_000), Number(process.argv[2] ?? 60))));
}
