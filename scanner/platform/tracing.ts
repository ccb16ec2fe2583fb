/** The headers of W3C Trace Context, by which another process continues a trace. */
export type TraceContext = { traceparent?: string; tracestate?: string };

export type SpanDescription = {
  /** A name of few different values: an operation or a statement, never a path or an id. */
  name: string;
  kind: 'server' | 'client' | 'consumer';
  /** Never values of requests or statements, texts of findings, credentials or addresses of people. */
  attributes?: Record<string, string | number>;
  /** The span that it continues, when that is elsewhere; by default the span within which it is opened. */
  parent?: TraceContext | undefined;
};

export type Span = {
  readonly traceId: string;
  /** Runs something within the span: spans that are opened meanwhile become its children. */
  within<T>(run: () => T): T;
  set(attributes: Record<string, string | number>): void;
  /** Ends the span; with an error it has failed. Of the error only its code or kind is recorded. */
  end(error?: unknown): void;
};

/** Records spans and sends them to a collector. */
export type Recorder = {
  open(description: SpanDescription): Span;
  /** Whether this runs within a span. */
  isWithin(): boolean;
  /** The context in which another process continues the trace from here; empty outside of a span. */
  context(): TraceContext;
  close(): Promise<void>;
};

/** null while nothing is traced: then a span costs one comparison. */
let recorder: Recorder | null = null;

/** Records all spans of this process from now on; with null, none. */
export function setRecorder(next: Recorder | null): void {
  recorder = next;
}

export const isTracing = (): boolean => recorder !== null;

/** Opens a span that the caller ends; null while nothing is traced. */
export const openSpan = (description: SpanDescription): Span | null => recorder?.open(description) ?? null;

/** Opens a span only as a part of another: for what would be noise by itself. */
export const openChild = (describe: () => SpanDescription): Span | null =>
  recorder?.isWithin() ? recorder.open(describe()) : null;

/** Returns what another process needs to continue the trace from here. */
export const traceContext = (): TraceContext => recorder?.context() ?? {};

/** Runs something as a separate span, which fails when it does. */
export async function inSpan<T>(describe: () => SpanDescription, run: (span: Span | null) => Promise<T>): Promise<T> {
  if (recorder === null) return run(null);
  const span = recorder.open(describe());
  try {
    const result = await span.within(() => run(span));
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
