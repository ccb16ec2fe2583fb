import type { Config } from './config.ts';
import manifest from './package.json' with { type: 'json' };
import { FailedAuthentications } from './platform/http/failed-authentications.ts';
import { createProbeServer } from './platform/http/probe-server.ts';
import type { Lifecycle } from './platform/lifecycle.ts';
import type { Log } from './platform/log.ts';
import { createMetrics, type Instruments } from './platform/metrics.ts';
import { addBuildMetrics } from './platform/monitoring/build-metrics.ts';
import { addPoolMetrics } from './platform/monitoring/queue-metrics.ts';
import type { Database } from './platform/postgres/database.ts';

type Probed = {
  config: Config;
  log: Log;
  lifecycle: Lifecycle;
  database: Database;
  /** What the worker counts of its work. */
  figures: Instruments;
  heartbeatAgeMs(): number;
};

/** A worker that has not reported for this long is treated as dead by the others. */
const silentAfterMs = 30_000;

/** Serves the probes and the metrics of a worker on ASSAY_WORKER_PORT. */
export async function runWorkerProbes(probed: Probed, port: number): Promise<void> {
  const { config, log, lifecycle, database, figures } = probed;
  const metrics = createMetrics();
  addBuildMetrics(metrics, 'worker', manifest.version);
  addPoolMetrics(metrics, database);
  metrics.append(() => figures.registry.metrics());
  const app = createProbeServer({
    metrics,
    log,
    metricsToken: config.monitoring.metricsToken,
    trustedProxies: config.trustedProxies,
    failedAuthentications: new FailedAuthentications(),
    async readiness() {
      const ageMs = probed.heartbeatAgeMs();
      if (ageMs > silentAfterMs) throw new Error(`The last heartbeat was ${Math.round(ageMs / 1_000)} seconds ago.`);
      await database.single(null, { text: 'SELECT 1' });
    },
  });
  const address = await app.listen({ host: config.host, port });
  log.info({ address }, 'The worker serves its probes and metrics.');
  await lifecycle.onStop('probes of the worker', () => app.close());
}
