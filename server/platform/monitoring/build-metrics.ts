import type { Instruments } from '../metrics.ts';

/** Adds the release that runs, as labels of a 1: nodes of different releases show as different series. */
export function addBuildMetrics(metrics: Instruments, part: 'api' | 'worker', version: string): void {
  const labels = { part, version, node: process.version };
  metrics.gauge(
    'build_info',
    'The release that this process runs, which is always 1.',
    ['part', 'version', 'node'],
    () => Promise.resolve([{ labels, value: 1 }]),
  );
}
