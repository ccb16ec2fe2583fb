import { Counter } from 'prom-client';
import type { Metrics } from '../../metrics.ts';
import type { Replicas } from './replicas.ts';

/** Adds the state of each replica, and the number of reads by server. */
export function addReplicaMetrics(metrics: Metrics, replicas: Replicas): void {
  metrics.gauge('replica_in_service', 'Whether the replica is used: 1 or 0.', ['replica'], async () =>
    replicas.states().map(({ name, isInService }) => ({ labels: { replica: name }, value: isInService ? 1 : 0 })),
  );
  metrics.gauge('replica_lag_seconds', 'The time by which the replica is behind the primary.', ['replica'], async () =>
    replicas
      .states()
      .flatMap(({ name, lagSeconds }) =>
        lagSeconds === undefined ? [] : [{ labels: { replica: name }, value: lagSeconds }],
      ),
  );
  new Counter({
    name: 'assay_replicable_reads_total',
    help: 'Reads that a replica may serve, by the server that did: the name of a replica, or primary.',
    labelNames: ['server'],
    registers: [metrics.registry],
    collect() {
      this.reset();
      for (const [server, count] of replicas.reads) this.inc({ server }, count);
    },
  });
}
