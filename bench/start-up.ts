import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processTree } from '../tests/harness/processes.ts';
import type { Row } from './measure.ts';
import { memoryOf } from './memory.ts';
import { dataDirectory } from './prepare-findings.ts';
import { startServer } from './server-process.ts';

/** Measures `assay start` on a used data directory, and the idle memory of all its processes. */
export async function measureStartUp(): Promise<Row[]> {
  const directory = join(dataDirectory, 'start-up');
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const first = await startServer(directory);
  await first.stop();
  const second = await startServer(directory);
  try {
    await delay(10_000);
    const pids = processTree(second.pid);
    return [
      { question: 'First start to ready, with a new database', value: first.startSeconds, unit: 's', bound: null },
      { question: 'Start to ready', value: second.startSeconds, unit: 's', bound: '<= 2' },
      { question: `Idle memory of all ${pids.length} processes`, value: memoryOf(pids), unit: 'MB', bound: '<= 350' },
    ];
  } finally {
    await second.stop();
  }
}

if (import.meta.main) {
  const { tableOf } = await import('./measure.ts');
  console.log(tableOf(await measureStartUp()));
}
