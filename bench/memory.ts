import { processFile } from '../tests/harness/processes.ts';

/**
 * Returns the memory of the processes in megabytes, with shared memory counted once (the sum of proportional set
 * sizes).
 */
export function memoryOf(pids: number[]): number {
  const kilobytes = pids.map((pid) => {
    const memory = processFile(pid, 'smaps_rollup') ?? '';
    return Number(/^Pss:\s+(\d+)/m.exec(memory)?.[1] ?? 0);
  });
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1000;
}
