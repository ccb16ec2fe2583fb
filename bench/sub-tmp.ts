import pg from 'pg';
import { readFileSync } from 'node:fs';
const root = '/tmp/wt/lists';
const { startServer } = await import(root + '/bench/server-process.ts');
const { timeRequest } = await import(root + '/bench/requests.ts');
const { listQuestions, wordQuestions } = await import(root + '/bench/growth-questions.ts');
const { openEmbeddedPostgres } = await import(root + '/server/platform/postgres/embedded-postgres.ts');
const { quietLog } = await import(root + '/bench/prepare-findings.ts');
const dir = process.argv[2]!; const note = JSON.parse(readFileSync(dir + '/dataset.json', 'utf8'));
const keep = process.argv[3]!.split(',');
const server = await startServer(dir);
const { adminUrl } = await openEmbeddedPostgres({ directory: dir, log: quietLog() });
const client = new pg.Client({ connectionString: adminUrl }); await client.connect();
const all: number[] = []; const named: [number, string][] = []; const words: number[] = [];
for (const [ask, out] of [[listQuestions, all], [wordQuestions, words]] as const) for (const q of await ask(client, note.orgId)) {
  if (!keep.includes(q.sort)) continue;
  const url = `${server.address}/findings?${new URLSearchParams({ ...q.filters, sort: q.sort, limit: '50' })}`;
  await timeRequest(url, note.token);
  const times = [await timeRequest(url, note.token), await timeRequest(url, note.token)];
  out.push(...times); named.push([Math.min(...times), `${q.sort} ${q.name}`]);
}
const p = (v: number[], s: number) => [...v].sort((a, b) => a - b)[Math.min(v.length - 1, Math.floor(v.length * s))]!.toFixed(1);
console.log('lists', all.length, 'p50', p(all, .5), 'p90', p(all, .9), 'p99', p(all, .99), 'max', p(all, 1));
console.log('words', words.length, 'p50', p(words, .5), 'p90', p(words, .9), 'p99', p(words, .99), 'max', p(words, 1));
console.log('above 50:', named.filter(([t]) => t > 50).length, 'of', named.length);
for (const [t, n] of named.sort((a, b) => b[0] - a[0]).slice(0, 25)) console.log(t.toFixed(1).padStart(8), n);
await client.end(); await server.stop();
