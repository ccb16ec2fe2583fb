import { AsyncLocalStorage } from 'node:async_hooks';
import type { Recorder, Span, SpanDescription, TraceContext } from '@assay/scanner/platform/tracing.ts';
import {
  type Attributes,
  type Context,
  DiagLogLevel,
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { errorCode } from '../errors.ts';
import type { Log } from '../log.ts';

export type OpenTelemetryOptions = {
  protocol: 'http/protobuf' | 'http/json';
  /** A standard name, as in OTEL_TRACES_SAMPLER, and its argument. */
  sampler: string;
  ratio: number;
  /** The pause between two exports. */
  delayMs: number;
  /** The name of this process if OTEL_SERVICE_NAME is not set. */
  service: string;
  version: string;
  log: Log;
};

const kinds: Record<SpanDescription['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

const closeWithinMs = 3_000;
const reportAgainMs = 60_000;

/** Returns the sampler with a standard name. */
function createSampler({ sampler, ratio }: OpenTelemetryOptions): Sampler {
  const root = sampler.endsWith('traceidratio')
    ? new TraceIdRatioBasedSampler(ratio)
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new AlwaysOnSampler();
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

/** Each exporter is loaded only when it is used. */
async function createExporter(protocol: OpenTelemetryOptions['protocol']): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

/**
 * Logs messages of the libraries, such as that the collector is unavailable; at most once a minute, since each export
 * fails.
 */
function logProblems(log: Log): void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const report = (message: string) => {
    if (performance.now() - reportedAt < reportAgainMs) return;
    reportedAt = performance.now();
    log.warn({ component: 'tracing', reason: message.slice(0, 500) }, 'Spans could not be sent.');
  };
  const ignore = () => {};
  diag.setLogger({ error: report, warn: report, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
}

/**
 * Opens a recorder that sends spans by OTLP over HTTP, with the settings of the standard OTEL_ variables. It
 * registers nothing globally: libraries that would record their own spans, with unknown content, find no tracer.
 */
export async function openRecorder(options: OpenTelemetryOptions): Promise<Recorder> {
  const { service, version } = options;
  logProblems(options.log);
  const provider = new TracerProvider({
    sampler: createSampler(options),
    resource: defaultResource()
      .merge(
        resourceFromAttributes({ 'service.name': service, 'service.namespace': 'assay', 'service.version': version }),
      )
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: await createExporter(options.protocol),
        scheduledDelayMillis: options.delayMs,
      }),
    ],
  });
  const tracer = provider.getTracer('assay', version);
  const propagator = new W3CTraceContextPropagator();
  const current = new AsyncLocalStorage<Context>();

  const spanOf = (context: Context, span: OtelSpan): Span => ({
    traceId: span.spanContext().traceId,
    within: (run) => current.run(context, run),
    set: (attributes) => void span.setAttributes(attributes as Attributes),
    end(error) {
      if (error !== undefined) {
        span.setAttribute('error.type', errorCode(error) ?? (error instanceof Error ? error.name : 'unknown'));
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  });

  return {
    open({ name, kind, attributes = {}, parent }) {
      const outer = parent
        ? propagator.extract(ROOT_CONTEXT, parent, defaultTextMapGetter)
        : (current.getStore() ?? ROOT_CONTEXT);
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, outer);
      return spanOf(trace.setSpan(outer, span), span);
    },
    isWithin: () => current.getStore() !== undefined,
    context() {
      const carrier: TraceContext = {};
      const context = current.getStore();
      if (context) propagator.inject(context, carrier, defaultTextMapSetter);
      return carrier;
    },
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, closeWithinMs);
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      clearTimeout(timer);
    },
  };
}
