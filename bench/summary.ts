import { percentile, type Row } from './measure.ts';
import type { FindingsDirectory } from './prepare-findings.ts';
import { timeRequest } from './requests.ts';
import { startServer } from './server-process.ts';

/** Measures the figures of a dashboard, for the whole organization and for each filter that the stored figures support. */
export async function measureSummary(findings: FindingsDirectory): Promise<Row[]> {
  const server = await startServer(findings.directory);
  try {
    const times: number[] = [];
    for (let run = 0; run < 100; run++) {
      for (const query of ['', '?severity=critical', '?status=new,triaged', '?source=secrets']) {
        const time = await timeRequest(`${server.address}/findings/summary${query}`, findings.token);
        if (run >= 5) times.push(time);
      }
    }
    const size = findings.count.toLocaleString('en-US');
    return [{ question: `Summary among ${size}, p99`, value: percentile(times, 0.99), unit: 'ms', bound: '<= 20' }];
  } finally {
    await server.stop();
  }
}
