import { fail, oneOf, type Read, url, wholeNumber } from './config-values.ts';
import type { Outlet } from './platform/sandbox/outlets.ts';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/**
 * How spans are recorded and sent to a collector; null: nothing is traced. Where to, with which headers and as which
 * service, the libraries read from the OTEL_ variables themselves.
 */
export type TracingConfig = {
  protocol: 'http/protobuf' | 'http/json';
  sampler: (typeof samplers)[number];
  /** The part of traces that the samplers with a ratio record. */
  ratio: number;
  /** The pause between two exports. */
  delayMs: number;
  /** The collector. */
  endpoint: string;
} | null;

/** Returns the server that spans are sent to. */
export function collectorOutlet({ endpoint }: NonNullable<TracingConfig>): Outlet {
  const { protocol, hostname, port } = new URL(endpoint);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

const endpoint = url(['http:', 'https:'], 'http://collector:4318');

const protocolOf = (text: string) =>
  text === 'http/protobuf' || text === 'http/json'
    ? text
    : fail('must be http/protobuf or http/json: spans are sent over HTTP.');

const ratio = (text: string) =>
  /^(0(\.\d+)?|1(\.0+)?)$/.test(text) ? Number(text) : fail('must be a number from 0 to 1.');

export function readTracing(read: Read): TracingConfig {
  const endpoints = [
    read<string | null>('OTEL_EXPORTER_OTLP_ENDPOINT', null, endpoint),
    read<string | null>('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', null, endpoint),
  ];
  // Variables that are set for all programs of a machine matter only with a collector.
  if (endpoints.every((given) => given === null)) return null;
  const exporter = read('OTEL_TRACES_EXPORTER', 'otlp', oneOf(['otlp', 'none'] as const));
  const isDisabled = read('OTEL_SDK_DISABLED', false, (text) => /^true$/i.test(text));
  const general = read<'http/protobuf' | 'http/json'>('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/protobuf', protocolOf);
  const tracing = {
    protocol: read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', general, protocolOf),
    sampler: read<(typeof samplers)[number]>('OTEL_TRACES_SAMPLER', 'parentbased_always_on', oneOf(samplers)),
    ratio: read('OTEL_TRACES_SAMPLER_ARG', 1, ratio),
    delayMs: read('OTEL_BSP_SCHEDULE_DELAY', 5_000, wholeNumber(1, 600_000)),
    endpoint: (endpoints[1] ?? endpoints[0])!,
  };
  return exporter === 'otlp' && !isDisabled ? tracing : null;
}
