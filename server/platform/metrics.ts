import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/**
 * The metrics of this process, in Prometheus' format. Labels are operations, methods, statuses and kinds, never
 * organizations, users or ids: those are private, and too many.
 */
export type Metrics = {
  readonly registry: Registry;
  /** Counts a request. `operation` is the operationId of its route, or `none`. */
  observeRequest(operation: string, method: string, status: number, seconds: number): void;
  /** Makes a counter for a slice: `assay_<name>_total`. */
  counter<Label extends string = never>(name: string, help: string, labels?: Label[]): Counter<Label>;
  /** Makes a gauge that is read on each scrape: `assay_<name>`. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
};

const durations = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Makes a registry with the process's memory, CPU, event loop and garbage collection. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'assay_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its response.',
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
