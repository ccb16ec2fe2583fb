import { parentPort } from 'node:worker_threads';
import type { FileKind } from './rule.ts';
import { scanFile } from './scan-file.ts';

/** A request to the thread; see file-scanner.ts. */
export type ScanRequest = { kind: FileKind; text: string };

parentPort?.on('message', async ({ kind, text }: ScanRequest) => {
  try {
    const found = await scanFile(kind, text);
    parentPort?.postMessage({ hits: found.map(({ rule, sight }) => ({ ruleId: rule.id, sight })) });
  } catch (error) {
    parentPort?.postMessage({ problem: (error as Error).message });
  }
});
