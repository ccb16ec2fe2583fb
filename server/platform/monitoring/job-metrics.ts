import type { JobOutcome } from '../jobs/job-runner.ts';
import { type Instruments, single } from '../metrics.ts';

const jobSeconds = [0.05, 0.25, 1, 5, 30, 120, 600, 3_600, 14_400];

/** Adds the metrics of a worker's jobs, and returns the function that records one. */
export function addJobMetrics(metrics: Instruments): (job: string, outcome: JobOutcome, elapsedMs: number) => void {
  const help = 'Background jobs of this worker by name and outcome: done, failed, interrupted.';
  const jobs = metrics.histogram('job_duration_seconds', help, ['name', 'outcome'], jobSeconds);
  return (name, outcome, elapsedMs) => jobs.observe({ name, outcome }, elapsedMs / 1_000);
}

/**
 * Adds the age of this worker's heartbeat. `assay_worker_heartbeat_age_seconds` is the age of the most recent one of
 * any worker.
 */
export function addHeartbeatMetric(metrics: Instruments, ageMs: () => number): void {
  const help = 'The time since this worker reported that it is alive.';
  metrics.gauge('worker_own_heartbeat_age_seconds', help, [], async () => single(ageMs() / 1_000));
}
