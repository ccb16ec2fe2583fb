import { request } from 'node:http';
import pg from 'pg';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';
import { percentile, type Row } from './measure.ts';
import { type FindingsDirectory, quietLog } from './prepare-findings.ts';
import { totalProcessorMs } from './processor-time.ts';
import { keptOpen } from './requests.ts';
import { startServer } from './server-process.ts';

const warmUps = 100;
const perRound = 25;
const rounds = 20;

type Change = { name: string; method: string; path: string; status: number; body: (run: number) => object };

const kinds: Change[] = [
  {
    name: 'PATCH of a status',
    method: 'PATCH',
    path: '',
    status: 200,
    body: (run) => ({ status: run % 2 ? 'triaged' : 'in_progress' }),
  },
  {
    name: 'A comment',
    method: 'POST',
    path: '/comment',
    status: 201,
    body: (run) => ({ comment: `Rotated, attempt ${run}.` }),
  },
];

/** Returns the milliseconds until the response is complete. */
function send(url: string, token: string, { method, status }: Change, body: object): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const began = performance.now();
  return new Promise((resolve, reject) => {
    request(url, { agent: keptOpen, method, headers }, (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === status) resolve(performance.now() - began);
        else reject(new Error(`${response.statusCode} for ${method} ${url}`));
      });
    })
      .on('error', reject)
      .end(JSON.stringify(body));
  });
}

/**
 * Measures changes of single findings, one after another: the processor time of API and PostgreSQL for each, and the
 * 50th percentile of its duration. The kinds take turns, so that other load on the machine affects both alike.
 */
export async function measureChanges(findings: FindingsDirectory): Promise<Row[]> {
  const server = await startServer(findings.directory);
  const { adminUrl } = await openEmbeddedPostgres({ directory: findings.directory, log: quietLog() });
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const backends = async () => {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'assay api'`,
    );
    return rows.map(({ pid }) => pid);
  };
  try {
    const { rows: ids } = await client.query<{ id: string }>(
      `SELECT id FROM findings WHERE org_id = $1 AND status = 'new' ORDER BY md5(id) LIMIT $2`,
      [findings.orgId, warmUps + perRound * rounds],
    );
    const measured = kinds.map((kind) => ({ kind, apiMs: 0, databaseMs: 0, times: [] as number[] }));
    const change = (kind: Change, run: number) =>
      send(`${server.address}/findings/${ids[run]!.id}${kind.path}`, findings.token, kind, kind.body(run));
    for (let run = 0; run < warmUps; run++) for (const kind of kinds) await change(kind, run);
    for (let round = 0; round < rounds; round++) {
      for (const one of measured) {
        const pids = await backends();
        const before = [totalProcessorMs([server.pid]), totalProcessorMs(pids)] as const;
        for (let run = 0; run < perRound; run++)
          one.times.push(await change(one.kind, warmUps + round * perRound + run));
        one.apiMs += (totalProcessorMs([server.pid]) - before[0]) / (perRound * rounds);
        one.databaseMs += (totalProcessorMs(pids) - before[1]) / (perRound * rounds);
      }
    }
    return measured.flatMap(({ kind: { name }, apiMs, databaseMs, times }): Row[] => [
      { question: `${name}, processor time`, value: apiMs + databaseMs, unit: 'ms', bound: '<= 2' },
      { question: `${name}, of which PostgreSQL`, value: databaseMs, unit: 'ms', bound: null },
      { question: `${name}, p50`, value: percentile(times, 0.5), unit: 'ms', bound: null },
    ]);
  } finally {
    await client.end();
    await server.stop();
  }
}
