import { readFileSync } from 'node:fs';
import { commandOf, processTree } from '../tests/harness/processes.ts';

const maxMegabytes = (pid: number | undefined): number =>
  pid === undefined ? 0 : Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1000;

/**
 * Returns the peak memory of the API, its worker and the process that reads result files since they started, in
 * megabytes; 0 for a process that is not running.
 */
export function peakMegabytes(pid: number): { api: number; worker: number; importer: number } {
  const processes = processTree(pid);
  const running = (module: string) => processes.find((one) => commandOf(one).includes(module));
  return {
    api: maxMegabytes(pid),
    worker: maxMegabytes(running('worker-process')),
    importer: maxMegabytes(running('import-process')),
  };
}
