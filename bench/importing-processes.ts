import { readdirSync, readFileSync } from 'node:fs';

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

const runs = (module: string) => (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(module);

const most = (pid: number | undefined): number =>
  pid === undefined ? 0 : Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1000;

/**
 * Returns the peak memory of the API (this process), its worker and the process that reads result files since they
 * started, in megabytes; 0 for a process that is not running.
 */
export function mostMegabytes(pid: number): { api: number; worker: number; importer: number } {
  const children = childrenOf(pid);
  return {
    api: most(pid),
    worker: most(children.find(runs('worker-process'))),
    importer: most(children.find(runs('import-process'))),
  };
}
