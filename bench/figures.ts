import pg from 'pg';
import { facetFields } from '../server/findings/figures/facet-queries.ts';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';
import { changeNumber } from './change-number.ts';
import { valuesOf } from './growth-questions.ts';
import { percentile, type Row } from './measure.ts';
import { type FindingsDirectory, quietLog } from './prepare-findings.ts';
import { timeRequest } from './requests.ts';
import { startServer } from './server-process.ts';

const repetitions = 5;
const groupings = ['rule', 'data_source', 'package'];

/** Each filter with a common and a rare value, and some usual combinations. */
async function queriesOf(client: pg.Client, orgId: string): Promise<string[]> {
  const values = await valuesOf(client, orgId);
  const single = Object.entries(values).flatMap(([name, both]) =>
    both.map((value) => new URLSearchParams({ [name]: value }).toString()),
  );
  return [
    '',
    ...single,
    'status=new,triaged,in_progress&severity=critical,high',
    `status=new&rule=${encodeURIComponent(values.rule![0])}`,
    'status=-resolved&severity=-info&source=code',
  ];
}

type Timing = { name: string; times: number[] };

/** Times each query. With `changing`, something changes before each request, so that no cached figures are used. */
async function timeFigures(
  findings: FindingsDirectory,
  changing: boolean,
): Promise<{ facets: Timing[]; groups: Timing[] }> {
  const server = await startServer(findings.directory);
  const { adminUrl } = await openEmbeddedPostgres({ directory: findings.directory, log: quietLog() });
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const time = async (path: string): Promise<Timing> => {
    const times: number[] = [];
    for (let run = 0; run <= repetitions; run++) {
      if (changing) await changeNumber(client, findings.orgId);
      times.push(await timeRequest(`${server.address}/findings/${path}`, findings.token));
    }
    return { name: path, times: times.slice(1) };
  };
  try {
    const timings = { facets: [] as Timing[], groups: [] as Timing[] };
    for (const query of await queriesOf(client, findings.orgId)) {
      timings.facets.push(await time(`facets?field=${facetFields}&${query}`));
      for (const by of groupings) timings.groups.push(await time(`groups?by=${by}&${query}`));
    }
    return timings;
  } finally {
    await client.end();
    await server.stop();
  }
}

const slowest = (timings: Timing[]) =>
  [...timings].sort((a, b) => percentile(b.times, 0.5) - percentile(a.times, 0.5))[0]!;

/**
 * Measures facets of all fields at once, and groups, under every filter and some combinations: after a change, and
 * while nothing changes.
 */
export async function measureFigures(findings: FindingsDirectory): Promise<Row[]> {
  const remembered = await timeFigures(findings, false);
  const rows = Object.entries(await timeFigures(findings, true)).flatMap(([what, timings]): Row[] => {
    const again = remembered[what as 'facets' | 'groups'].flatMap(({ times }) => times);
    const worst = slowest(timings);
    const all = timings.flatMap(({ times }) => times);
    const name = what === 'facets' ? 'Facets of all fields' : 'Groups';
    return [
      { question: `${name} after a change, p99`, value: percentile(all, 0.99), unit: 'ms', bound: '<= 100' },
      { question: `${name} after a change, p50`, value: percentile(all, 0.5), unit: 'ms', bound: null },
      { question: `${name} while nothing changes, p99`, value: percentile(again, 0.99), unit: 'ms', bound: '<= 30' },
      { question: `Slowest: ${worst.name.slice(0, 80)}`, value: percentile(worst.times, 0.5), unit: 'ms', bound: null },
    ];
  });
  return rows;
}

if (import.meta.main) {
  const { prepareFindings } = await import('./prepare-findings.ts');
  const [count = '100000', changing] = process.argv.slice(2);
  const { facets, groups } = await timeFigures(await prepareFindings(Number(count)), changing !== 'unchanged');
  for (const { name, times } of [...facets, ...groups])
    console.log(percentile(times, 0.5).toFixed(1).padStart(8), percentile(times, 1).toFixed(1).padStart(8), name);
}
