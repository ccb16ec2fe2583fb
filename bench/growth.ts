import { hkdfSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { orders, type Sort, sorts } from '../server/findings/orders.ts';
import { createCursorCodec } from '../server/platform/http/cursor.ts';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';
import { listQuestions, type Question, wordQuestions } from './growth-questions.ts';
import { percentile, type Row } from './measure.ts';
import { type FindingsDirectory, quietLog } from './prepare-findings.ts';
import { timeRequest } from './requests.ts';
import { startServer } from './server-process.ts';

/**
 * The extent of a run: the number of repetitions after one that plans the statement, and whether each list's middle
 * page is requested besides the first.
 */
type Effort = { repetitions: number; deep: boolean[] };
const whole: Effort = { repetitions: 3, deep: [false, true] };
const quick: Effort = { repetitions: 1, deep: [false] };

const several = new Set(['severity', 'source', 'status', 'data_source', 'tag', 'assignee', 'rule']);

/**
 * Returns the sort key in the middle of the organization's list: the page after it is deep in any list of that order.
 */
async function middleOf(client: pg.Client, orgId: string, sort: Sort): Promise<string[]> {
  const { columns } = orders[sort];
  const { rows } = await client.query<{ position: string[] }>(
    `SELECT ARRAY[${columns.map((column) => `${column}::text`)}] AS position FROM findings WHERE org_id = $1
     ORDER BY ${columns.join(', ')} OFFSET (SELECT count(*) / 2 FROM findings WHERE org_id = $1) LIMIT 1`,
    [orgId],
  );
  return rows[0]!.position;
}

async function cursorsOf(findings: FindingsDirectory, client: pg.Client) {
  const secretKey = (await readFile(join(findings.directory, 'secret-key'), 'utf8')).trim();
  const codec = createCursorCodec(Buffer.from(hkdfSync('sha256', secretKey, 'assay', 'cursors', 32)));
  const middles = new Map<Sort, string[]>();
  for (const sort of sorts) middles.set(sort, await middleOf(client, findings.orgId, sort));
  return ({ filters: given, sort }: Question) => {
    const filters = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, several.has(name) ? [value] : value]),
    );
    const binding = { operation: 'listFindings', orgId: findings.orgId, filters, sort };
    return codec.encode(binding, middles.get(sort)!);
  };
}

type Timing = { name: string; sort: string; deep: boolean; times: number[] };

/** A list that the service gives up after 30 seconds counts with that time. */
async function timeList(url: string, token: string): Promise<number> {
  const start = performance.now();
  try {
    return await timeRequest(url, token);
  } catch (error) {
    if (!(error as Error).message.startsWith('503')) throw error;
    return performance.now() - start;
  }
}

/** Requests each list, one request at a time. */
async function timeQuestions(
  findings: FindingsDirectory,
  ask = listQuestions,
  { repetitions, deep: pages } = whole,
): Promise<Timing[]> {
  const server = await startServer(findings.directory);
  const { adminUrl } = await openEmbeddedPostgres({ directory: findings.directory, log: quietLog() });
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const questions = await ask(client, findings.orgId);
    const cursorOf = await cursorsOf(findings, client);
    const timings: Timing[] = [];
    for (const question of questions) {
      for (const deep of pages) {
        const parameters = new URLSearchParams({ ...question.filters, sort: question.sort, limit: '50' });
        if (deep) parameters.set('next_cursor', cursorOf(question));
        const url = `${server.address}/findings?${parameters}`;
        const times: number[] = [];
        for (let run = 0; run <= repetitions; run++) times.push(await timeList(url, findings.token));
        timings.push({ name: question.name, sort: question.sort, deep, times: times.slice(1) });
      }
    }
    return timings;
  } finally {
    await client.end();
    await server.stop();
  }
}

const median = (timing: Timing) => percentile(timing.times, 0.5);
const slowest = (timings: Timing[]) => [...timings].sort((a, b) => median(b) - median(a));

/** Measures lists with words, within each other filter. */
async function measureWords(findings: FindingsDirectory): Promise<Row[]> {
  const timings = await timeQuestions(findings, wordQuestions);
  return [...Map.groupBy(timings, ({ name }) => name)].map(([name, some]) => ({
    question: `${name}, within another filter, p99`,
    value: percentile(
      some.flatMap(({ times }) => times),
      0.99,
    ),
    unit: 'ms',
    bound: '<= 50',
  }));
}

/** Measures lists by any two filters in any order. */
export async function measureLists(findings: FindingsDirectory): Promise<Row[]> {
  const timings = await timeQuestions(findings);
  const times = timings.flatMap((timing) => timing.times);
  const worst = slowest(timings)[0]!;
  return [
    { question: 'Lists by any two filters and order, p99', value: percentile(times, 0.99), unit: 'ms', bound: '<= 50' },
    { question: 'Lists by any two filters and order, p50', value: percentile(times, 0.5), unit: 'ms', bound: null },
    {
      question: `Lists above 50 ms, of ${timings.length}`,
      value: timings.filter((timing) => median(timing) > 50).length,
      unit: '',
      bound: '<= 0',
    },
    {
      question: `Slowest: ${worst.name}, ${worst.sort}${worst.deep ? ', deep' : ''}`,
      value: median(worst),
      unit: 'ms',
      bound: '<= 50',
    },
    ...(await measureWords(findings)),
  ];
}

if (import.meta.main) {
  const { prepareFindings } = await import('./prepare-findings.ts');
  const { values, positionals } = parseArgs({ options: { quick: { type: 'boolean' } }, allowPositionals: true });
  const [count = '100000', shown = '40'] = positionals;
  const findings = await prepareFindings(Number(count));
  const timings = await timeQuestions(findings, listQuestions, values.quick ? quick : whole);
  const all = timings.flatMap((timing) => timing.times);
  console.log([0.5, 0.9, 0.99, 1].map((share) => `p${share * 100} ${percentile(all, share).toFixed(1)} ms`).join(', '));
  console.log(`${timings.filter((timing) => median(timing) > 50).length} of ${timings.length} above 50 ms`);
  for (const timing of slowest(timings).slice(0, Number(shown))) {
    console.log(
      median(timing).toFixed(1).padStart(8),
      timing.sort.padEnd(15),
      timing.deep ? 'deep ' : 'first',
      timing.name,
    );
  }
}
