import pg from 'pg';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';
import { changeNumber } from './change-number.ts';
import { percentile, type Row } from './measure.ts';
import { type FindingsDirectory, quietLog } from './prepare-findings.ts';
import { timeRequest } from './requests.ts';
import { startServer } from './server-process.ts';

/**
 * Measures the figures of a dashboard, for the whole organization and for each filter that the stored figures
 * support: after a change, and while nothing changes.
 */
export async function measureSummary(findings: FindingsDirectory): Promise<Row[]> {
  const server = await startServer(findings.directory);
  const { adminUrl } = await openEmbeddedPostgres({ directory: findings.directory, log: quietLog() });
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const time = async (changing: boolean) => {
    const times: number[] = [];
    for (let run = 0; run < 100; run++) {
      for (const query of ['', '?severity=critical', '?status=new,triaged', '?source=secrets']) {
        if (changing) await changeNumber(client, findings.orgId);
        const ms = await timeRequest(`${server.address}/findings/summary${query}`, findings.token);
        if (run >= 5) times.push(ms);
      }
    }
    return percentile(times, 0.99);
  };
  try {
    return [
      { question: 'Summary after a change, p99', value: await time(true), unit: 'ms', bound: '<= 20' },
      { question: 'Summary while nothing changes, p99', value: await time(false), unit: 'ms', bound: '<= 20' },
    ];
  } finally {
    await client.end();
    await server.stop();
  }
}
