import { readdirSync, readFileSync } from 'node:fs';

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

const isWorker = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('worker-process');

const most = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1000;

/** Returns the peak memory of the API (this process) and its worker since they started, in megabytes. */
export function mostMegabytes(pid: number): { api: number; worker: number } {
  return { api: most(pid), worker: most(childrenOf(pid).find(isWorker)!) };
}
