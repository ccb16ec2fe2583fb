import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/**
 * Metrics in Prometheus format. Labels are operations, methods, statuses and kinds, never organizations, users or
 * ids: those are private, and too many.
 */
export type Instruments = {
  readonly registry: Registry;
  /** Adds the counter `assay_<name>`, which ends in `_total`. */
  counter<Label extends string>(name: string, help: string, labels: Label[]): Counter<Label>;
  /** Adds the histogram `assay_<name>`, which ends in `_seconds`. */
  histogram<Label extends string>(name: string, help: string, labels: Label[], buckets: number[]): Histogram<Label>;
  /**
   * Adds the gauge `assay_<name>`, whose values are read on each scrape. When they can't be read, the gauge has none:
   * a gap is accurate, and the other metrics are still served.
   */
  gauge<Label extends string>(name: string, help: string, labels: Label[], read: () => Promise<Reading<Label>[]>): void;
};

/** The metrics of this process. */
export type Metrics = Instruments & {
  /** Counts a request. `operation` is the operationId of its route, or `none`. */
  observeRequest(operation: string, method: string, status: number, seconds: number): void;
  /** Adds metrics with other names: those of a part of this process, or of a neighbouring process. */
  append(read: () => Promise<string>): void;
  /** Returns all metrics in the format to be served. */
  text(): Promise<string>;
};

/** A value of a gauge, with its labels. */
export type Reading<Label extends string = never> = { labels: Record<Label, string>; value: number };

/** Returns the reading of a gauge without labels. */
export const single = (value: number | null): Reading[] => (value === null ? [] : [{ labels: {}, value }]);

const durations = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Creates an empty registry. */
export function createInstruments(): Instruments {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    counter: (name, help, labelNames) => new Counter({ name: `assay_${name}`, help, labelNames, registers }),
    histogram: (name, help, labelNames, buckets) =>
      new Histogram({ name: `assay_${name}`, help, labelNames, buckets, registers }),
    gauge: (name, help, labelNames, read) => {
      new Gauge({
        name: `assay_${name}`,
        help,
        labelNames,
        registers,
        async collect() {
          const readings = await read().catch(() => []);
          this.reset();
          // A reset sets a gauge without labels to 0.
          if (labelNames.length === 0 && readings.length === 0) this.remove();
          for (const { labels, value } of readings) this.set(labels, value);
        },
      });
    },
  };
}

/** Creates a registry with the process's memory, CPU, event loop and garbage collection. */
export function createMetrics(): Metrics {
  const instruments = createInstruments();
  const { registry } = instruments;
  collectDefaultMetrics({ register: registry });
  const labels: ('operation' | 'method' | 'status')[] = ['operation', 'method', 'status'];
  const help = 'Time from the first byte of a request to the end of its response.';
  const requests = instruments.histogram('http_request_duration_seconds', help, labels, durations);
  const appended: Array<() => Promise<string>> = [];
  return {
    ...instruments,
    observeRequest: (operation, method, status, seconds) =>
      requests.observe({ operation, method, status: String(status) }, seconds),
    append: (read) => void appended.push(read),
    text: async () => (await Promise.all([registry.metrics(), ...appended.map((read) => read())])).join(''),
  };
}
