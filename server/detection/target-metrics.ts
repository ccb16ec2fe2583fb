import type { Instruments } from '../platform/metrics.ts';

const outcomes = ['completed', 'failed', 'interrupted', 'cancelled'] as const;
export type MeasuredOutcome = (typeof outcomes)[number];

/** Counts and times the scans of data sources and the imports of this worker. `source` is the source of the scan. */
export type TargetMetrics = {
  observe(kind: 'scan' | 'import', source: string, outcome: MeasuredOutcome, seconds: number): void;
};

const scanSeconds = [1, 5, 15, 60, 300, 900, 3_600, 14_400];
const importSeconds = [0.1, 0.5, 1, 5, 15, 60, 300, 1_800];

export function addTargetMetrics(metrics: Instruments): TargetMetrics {
  const scans = metrics.histogram(
    'scan_duration_seconds',
    'Scans of one data source by detection source and outcome: completed, failed, interrupted, cancelled.',
    ['source', 'outcome'],
    scanSeconds,
  );
  // Senders choose the tool names of imported files: too many values for a label.
  const help = 'Merges of imported result files by outcome: completed, failed, interrupted, cancelled.';
  const imports = metrics.histogram('import_duration_seconds', help, ['outcome'], importSeconds);
  for (const outcome of outcomes) imports.zero({ outcome });
  return {
    observe(kind, source, outcome, seconds) {
      if (kind === 'import') imports.observe({ outcome }, seconds);
      else scans.observe({ source, outcome }, seconds);
    },
  };
}
