import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/**
 * What the process tells of itself, in Prometheus' form. Labels are operations, methods, statuses and kinds of things: never an
 * organization, a user or an id, as these are many and nobody else's business.
 */
export type Metrics = {
  readonly registry: Registry;
  /** Counts an answered request; `operation` is the operationId of its route, or `none`. */
  observeRequest(operation: string, method: string, status: number, seconds: number): void;
  /** A counter of a slice's own: `assay_<name>_total`. */
  counter<Label extends string = never>(name: string, help: string, labels?: Label[]): Counter<Label>;
  /** A gauge that is read when it is asked for: `assay_<name>`. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
};

const durations = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A registry of its own, with the process's memory, CPU, event loop and garbage collection. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'assay_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['operation', 'method', 'status'],
    buckets: durations,
    registers: [registry],
  });
  return {
    registry,
    observeRequest: (operation, method, status, seconds) =>
      requests.observe({ operation, method, status: String(status) }, seconds),
    counter: (name, help, labels = []) =>
      new Counter({ name: `assay_${name}_total`, help, labelNames: labels, registers: [registry] }),
    gauge: (name, help, read) => {
      new Gauge({
        name: `assay_${name}`,
        help,
        registers: [registry],
        async collect() {
          this.set(await read());
        },
      });
    },
  };
}
