import { readdirSync, readFileSync } from 'node:fs';

/** Returns the processor time of all threads of a process so far, in milliseconds; 0 for a process that has ended. */
function processorMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const nanoseconds = threads.map((thread) =>
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
    );
    return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
  } catch {
    return 0;
  }
}

/** Returns the processor time of several processes so far, in milliseconds. */
export const totalProcessorMs = (pids: number[]): number => pids.reduce((sum, pid) => sum + processorMs(pid), 0);
