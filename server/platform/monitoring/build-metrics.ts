import type { Instruments } from '../metrics.ts';

/**
 * Adds a gauge of 1 with the running release in its labels, so that nodes of different releases are different series.
 */
export function addBuildMetrics(metrics: Instruments, part: 'api' | 'worker', version: string): void {
  const labels = { part, version, node: process.version };
  metrics.gauge(
    'build_info',
    'The release that this process runs, which is always 1.',
    ['part', 'version', 'node'],
    () => Promise.resolve([{ labels, value: 1 }]),
  );
}
