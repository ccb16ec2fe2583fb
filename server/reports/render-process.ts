import { once } from 'node:events';
import { reportFormats } from './formats/index.ts';
import { readFrames } from './frames.ts';
import type { ReportFinding, ReportHead } from './report-model.ts';

/**
 * A process that writes one report in one format: the report on standard input (frames: its head, then batches of findings,
 * each as JSON), the file on standard output. It has no database, no network to speak of and nothing of our environment.
 */
async function render(format: keyof typeof reportFormats): Promise<void> {
  const { load, findings: most } = reportFormats[format];
  const write = await load();
  const frames = readFrames(process.stdin as AsyncIterable<Buffer>);
  const first = await frames.next();
  const head = JSON.parse(String(first.value)) as ReportHead;
  for await (const piece of write({ head, findings: batches(frames, most ?? Number.POSITIVE_INFINITY) })) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  }
}

async function* batches(frames: AsyncGenerator<Buffer>, most: number): AsyncGenerator<ReportFinding[]> {
  let left = most;
  for await (const content of frames) {
    if (left <= 0) continue;
    const batch = (JSON.parse(content.toString()) as ReportFinding[]).slice(0, left);
    left -= batch.length;
    yield batch;
  }
}

await render(process.argv[2] as keyof typeof reportFormats);
await new Promise<void>((resolve) => process.stdout.end(() => resolve()));
process.exit(0);
