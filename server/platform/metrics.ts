import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/**
 * The metrics of this process, in Prometheus' format. Labels are operations, methods, statuses and kinds, never
 * organizations, users or ids: those are private, and too many.
 */
export type Metrics = {
  readonly registry: Registry;
  /** Counts a request. `operation` is the operationId of its route, or `none`. */
  observeRequest(operation: string, method: string, status: number, seconds: number): void;
  /** Adds the counter `assay_<name>`, which ends in `_total`. */
  counter<Label extends string>(name: string, help: string, labels: Label[]): Counter<Label>;
  /**
   * Adds the gauge `assay_<name>`, whose values are read on each scrape. When they can't be read, it has none: a gap
   * is true, and the other metrics are still there.
   */
  gauge<Label extends string>(name: string, help: string, labels: Label[], read: () => Promise<Reading<Label>[]>): void;
};

/** A value of a gauge, with its labels. */
export type Reading<Label extends string = never> = { labels: Record<Label, string>; value: number };

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
    counter: (name, help, labelNames) =>
      new Counter({ name: `assay_${name}`, help, labelNames, registers: [registry] }),
    gauge: (name, help, labelNames, read) => {
      new Gauge({
        name: `assay_${name}`,
        help,
        labelNames,
        registers: [registry],
        async collect() {
          const readings = await read().catch(() => []);
          this.reset();
          // A gauge without labels is 0 after a reset.
          if (labelNames.length === 0 && readings.length === 0) this.remove();
          for (const { labels, value } of readings) this.set(labels, value);
        },
      });
    },
  };
}
