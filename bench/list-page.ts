import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { pageStatement } from '../server/findings/listing/list-findings.ts';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';
import { setOrganization } from '../server/platform/postgres/statement.ts';
import type { Row } from './measure.ts';
import { type FindingsDirectory, quietLog } from './prepare-findings.ts';
import { startServer } from './server-process.ts';

const connections = 8;
const filters = { status: ['new' as const], severity: ['high' as const] };

function findPgbench(): string {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const paths = ['/usr/bin/pgbench', ...versions.map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`)];
  const found = paths.find((path) => existsSync(path));
  if (!found) throw new Error('pgbench is missing; on Debian: apt-get install postgresql');
  return found;
}

/** Returns the statement of the page in the server's transaction, with parameters as variables of pgbench. */
async function writeScript(findings: FindingsDirectory) {
  const { orgId, directory } = findings;
  const statement = pageStatement(orgId, { filters, sort: '-first_seen_at', after: null, limit: 51 });
  const values = statement.values!.map(String);
  // pgbench treats every colon before a letter as one of its variables, in quotes too.
  const text = statement.text
    .replace(/\s+/g, ' ')
    .replaceAll('HH24:MI:SS', 'HH24":"MI":"SS')
    .replaceAll(':null', ":'||'null")
    .replace(/\$(\d+)/g, ':p$1');
  const setting = `${setOrganization(orgId).text};`;
  const file = join(directory, 'page.sql');
  await writeFile(file, ['BEGIN;', setting, `${text};`, 'COMMIT;'].join('\n'));
  return { file, variables: values.flatMap((value, index) => ['-D', `p${index + 1}=${value}`]) };
}

/** Returns transactions per second. */
async function runPgbench(findings: FindingsDirectory, url: string, seconds: number) {
  const { file, variables } = await writeScript(findings);
  const options = ['-n', '-M', 'prepared', '-c', String(connections), '-j', '2', '-T', String(seconds)];
  const { stdout } = await promisify(execFile)(findPgbench(), [...options, ...variables, '-f', file, url]);
  return Number(/tps = ([\d.]+)/.exec(stdout)![1]);
}

async function load(address: string, token: string, seconds: number) {
  const result = await autocannon({
    url: `${address}/findings?status=new&severity=high&limit=50`,
    connections,
    duration: seconds,
    headers: { authorization: `Bearer ${token}` },
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed.`);
  return { perSecond: result.requests.average, p99: result.latency.p99, p50: result.latency.p50 };
}

/** Measures pages of 50 findings over HTTP, with authentication and limiter, and pgbench with the same statement. */
export async function measureListPage(findings: FindingsDirectory, seconds = 15): Promise<Row[]> {
  const results = [];
  for (const level of ['info', 'silent']) {
    const server = await startServer(findings.directory, { LOG_LEVEL: level });
    try {
      await load(server.address, findings.token, 5);
      const { appUrl } = await openEmbeddedPostgres({ directory: findings.directory, log: quietLog() });
      const before = await runPgbench(findings, appUrl, seconds / 3);
      const measured = await load(server.address, findings.token, seconds);
      const after = await runPgbench(findings, appUrl, seconds / 3);
      results.push({ ...measured, pgbench: (before + after) / 2 });
    } finally {
      await server.stop();
    }
  }
  const [info, silent] = results as [(typeof results)[0], (typeof results)[0]];
  return [
    { question: 'Pages of 50 findings, 8 connections', value: info.perSecond, unit: '/s', bound: null },
    { question: 'The same statement by pgbench, 8 clients', value: info.pgbench, unit: '/s', bound: null },
    { question: 'Pages against pgbench', value: info.perSecond / info.pgbench, unit: '', bound: '>= 0.5' },
    { question: 'A page, p99', value: info.p99, unit: 'ms', bound: '<= 15' },
    { question: 'A page, p50', value: info.p50, unit: 'ms', bound: null },
    { question: 'Pages against pgbench, no log', value: silent.perSecond / silent.pgbench, unit: '', bound: null },
  ];
}
