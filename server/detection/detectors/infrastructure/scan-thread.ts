import { parentPort } from 'node:worker_threads';
import type { FileKind } from './rule.ts';
import { scanFile } from './scan-file.ts';

/** What the thread is asked and what it answers; see file-scanner.ts. */
export type Question = { kind: FileKind; text: string };

parentPort?.on('message', async ({ kind, text }: Question) => {
  try {
    const found = await scanFile(kind, text);
    parentPort?.postMessage({ hits: found.map(({ rule, sight }) => ({ ruleId: rule.id, sight })) });
  } catch (error) {
    parentPort?.postMessage({ problem: (error as Error).message });
  }
});
