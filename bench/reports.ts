import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile, type Row } from './measure.ts';
import type { FindingsDirectory } from './prepare-findings.ts';
import { totalProcessorMs } from './processor-time.ts';
import { timeRequest } from './requests.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const idleMs = 20_000;

/**
 * Sends sequential requests with pauses, like people and their dashboards, until `stop`. Returns the milliseconds of
 * each.
 */
function browse({ address }: ServerProcess, token: string) {
  const times: number[] = [];
  let stopped = false;
  const paths = ['/findings?status=new&severity=high&limit=50', '/findings?limit=50', '/findings/summary'];
  const done = (async () => {
    for (let turn = 0; !stopped; turn++) {
      times.push(await timeRequest(`${address}${paths[turn % paths.length]}`, token));
      await delay(100);
    }
  })();
  return async () => {
    stopped = true;
    await done;
    return times;
  };
}

/**
 * Samples the peak memory and the processor time of the processes that write a report, because they end soon after.
 */
function watchWriters(everyMs: number) {
  let maxBytes = 0;
  const processorMs = new Map<number, number>();
  const look = () => {
    for (const pid of readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)) {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('render-process.ts')) continue;
        const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        maxBytes = Math.max(maxBytes, Number(peak ?? 0) * 1024);
        processorMs.set(pid, Math.max(processorMs.get(pid) ?? 0, totalProcessorMs([pid])));
      } catch {
        // The process has ended.
      }
    }
  };
  const timer = setInterval(look, everyMs);
  return () => {
    clearInterval(timer);
    return { maxBytes, processorSeconds: [...processorMs.values()].reduce((sum, one) => sum + one, 0) / 1000 };
  };
}

const seconds = (since: number) => (performance.now() - since) / 1000;

/** Creates a report on all findings, and returns its id when it is ready. */
async function makeReport({ address }: ServerProcess, token: string, template: 'audit' | 'executive'): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ title: 'Measured', template });
  const created = (await (await fetch(`${address}/reports`, { method: 'POST', headers, body })).json()) as {
    id: string;
  };
  for (;;) {
    const report = (await (await fetch(`${address}/reports/${created.id}`, { headers })).json()) as { status: string };
    if (report.status === 'ready') return created.id;
    if (report.status === 'failed') throw new Error('The report failed.');
    await delay(20);
  }
}

async function deleteReport({ address }: ServerProcess, token: string, id: string): Promise<void> {
  await fetch(`${address}/reports/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
}

/**
 * Reads a file to its end, like clients that accept zstd (browsers, `curl --compressed`). Returns its size in bytes.
 */
async function download({ address }: ServerProcess, token: string, id: string, format: string) {
  const response = await fetch(`${address}/reports/${id}/export?format=${format}`, {
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'zstd' },
  });
  if (!response.ok) throw new Error(`${response.status} for ${format}: ${await response.text()}`);
  let bytes = 0;
  for await (const chunk of response.body!) bytes += chunk.length;
  return bytes;
}

/** Measures reports on the largest organization: documents of 2,000 findings, a CSV of all, and the effect on other requests. */
export async function measureReports(findings: FindingsDirectory): Promise<Row[]> {
  const server = await startServer(findings.directory);
  const { token } = findings;
  const rows = findings.count / 2;
  try {
    const warm = browse(server, token);
    await delay(3_000);
    await warm();
    const idle = browse(server, token);
    await delay(idleMs);
    const idleTimes = await idle();
    const busy = browse(server, token);
    const began = performance.now();
    const id = await makeReport(server, token, 'audit');
    const snapshot = seconds(began);
    const watch = watchWriters(1_000);
    const csvBegan = performance.now();
    const bytes = await download(server, token, id, 'csv');
    const csv = seconds(csvBegan);
    const memory = watch().maxBytes;
    const busyTimes = await busy();
    const documents: Record<string, { seconds: number; processorSeconds: number }> = {};
    for (const format of ['pdf', 'docx']) {
      const documentBegan = performance.now();
      const watchDocument = watchWriters(20);
      await download(server, token, id, format);
      documents[format] = { seconds: seconds(documentBegan), ...watchDocument() };
    }
    await deleteReport(server, token, id);
    const executiveId = await makeReport(server, token, 'executive');
    const executiveBegan = performance.now();
    await download(server, token, executiveId, 'pdf');
    const executive = seconds(executiveBegan);
    await deleteReport(server, token, executiveId);
    const size = rows.toLocaleString('en-US');
    return [
      { question: 'PDF with 2,000 findings (audit)', value: documents.pdf!.seconds, unit: 's', bound: '<= 3' },
      { question: 'Processor time of its writer', value: documents.pdf!.processorSeconds, unit: 's', bound: null },
      { question: 'DOCX with 2,000 findings (audit)', value: documents.docx!.seconds, unit: 's', bound: '<= 5' },
      { question: 'Processor time of its writer', value: documents.docx!.processorSeconds, unit: 's', bound: null },
      {
        question: `PDF, executive, of ${size} findings after its snapshot`,
        value: executive,
        unit: 's',
        bound: '<= 5',
      },
      { question: `Snapshot of ${size} findings`, value: snapshot, unit: 's', bound: null },
      { question: `CSV of ${size} findings`, value: rows / csv, unit: '/s', bound: '>= 50000' },
      { question: 'Memory of the process that writes the CSV', value: memory / 1024 ** 2, unit: 'MB', bound: '<= 200' },
      { question: 'Size of the CSV', value: bytes / 1024 ** 2, unit: 'MB', bound: null },
      { question: 'p99 of other requests, idle', value: percentile(idleTimes, 0.99), unit: 'ms', bound: null },
      {
        question: 'the same during snapshot and CSV, against idle',
        value: percentile(busyTimes, 0.99) / percentile(idleTimes, 0.99),
        unit: '',
        bound: '<= 2',
      },
    ];
  } finally {
    await server.stop();
  }
}

if (import.meta.main) {
  const { prepareFindings } = await import('./prepare-findings.ts');
  console.log(await measureReports(await prepareFindings(Number(process.argv[2] ?? 100_000))));
}
