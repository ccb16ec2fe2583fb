import type { Application } from '../../../tests/harness/application.ts';
import { type JobRunner, startJobRunner } from '../../platform/jobs/job-runner.ts';
import { silentLog } from '../../platform/log.ts';
import { takeSnapshotJob } from '../take-snapshot.ts';
import { type RenderServices, renderExportJob } from './render-export.ts';

/** Starts a worker that takes snapshots and renders exports. */
export async function startExportRunner(app: Application): Promise<{ runner: JobRunner; services: RenderServices }> {
  const services: RenderServices = { database: app.database, log: silentLog, stopping: new AbortController().signal };
  const runner = await startJobRunner({
    connectionString: app.appUrl,
    jobs: [takeSnapshotJob, renderExportJob],
    services,
    concurrency: 2,
    log: silentLog,
    ticks: [],
  });
  return { runner, services };
}
