import { FailedAuthentications } from '../http/failed-authentications.ts';
import { createProbeServer } from '../http/probe-server.ts';
import type { Lifecycle } from '../lifecycle.ts';
import type { Log } from '../log.ts';
import { createMetrics, type Instruments } from '../metrics.ts';
import type { Database } from '../postgres/database.ts';
import { addBuildMetrics } from './build-metrics.ts';
import { addPoolMetrics } from './queue-metrics.ts';

type Probed = {
  host: string;
  port: number;
  version: string;
  metricsToken: string | null;
  trustedProxies: string[];
  log: Log;
  lifecycle: Lifecycle;
  database: Database;
  /** Metrics of the worker's jobs. */
  figures: Instruments;
  heartbeatAgeMs(): number;
};

/** Other workers treat one without a heartbeat for this long as dead. */
const silentAfterMs = 30_000;

/** Serves the probes and metrics of a worker until the lifecycle stops. */
export async function serveWorkerProbes({ host, port, version, figures, lifecycle, ...probed }: Probed): Promise<void> {
  const { database, log } = probed;
  const metrics = createMetrics();
  addBuildMetrics(metrics, 'worker', version);
  addPoolMetrics(metrics, database);
  metrics.append(() => figures.registry.metrics());
  const app = createProbeServer({
    ...probed,
    metrics,
    failedAuthentications: new FailedAuthentications(),
    async readiness() {
      const ageMs = probed.heartbeatAgeMs();
      if (ageMs > silentAfterMs) throw new Error(`The last heartbeat was ${Math.round(ageMs / 1_000)} seconds ago.`);
      await database.single(null, { text: 'SELECT 1' });
    },
  });
  const address = await app.listen({ host, port });
  log.info({ address }, 'The worker serves its probes and metrics.');
  await lifecycle.onStop('the probes of the worker', () => app.close());
}
