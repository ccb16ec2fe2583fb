/** The headers of W3C Trace Context, with which another process continues a trace. */
export type TraceContext = { traceparent?: string; tracestate?: string };

export type SpanDescription = {
  /** A name with few different values: an operation or a statement, never a path or an id. */
  name: string;
  kind: 'server' | 'client' | 'consumer';
  /** Never contains values of requests or statements, texts of findings, credentials or people's addresses. */
  attributes?: Record<string, string | number>;
  /** The parent span, if it is in another process; by default the current span. */
  parent?: TraceContext | undefined;
};

export type Span = {
  readonly traceId: string;
  /** Runs something within the span: spans that are opened meanwhile become its children. */
  within<T>(run: () => T): T;
  set(attributes: Record<string, string | number>): void;
  /** Ends the span; with an error, as failed. Only the code or kind of the error is recorded. */
  end(error?: unknown): void;
};

/** Records spans and sends them to a collector. */
export type Recorder = {
  open(description: SpanDescription): Span;
  /** Whether the current code runs within a span. */
  isWithin(): boolean;
  /** The context with which another process continues the trace from here; empty outside of a span. */
  context(): TraceContext;
  close(): Promise<void>;
};

/** null while tracing is off: a span then costs one comparison. */
let recorder: Recorder | null = null;

/** Records all spans of this process from now on; with null, none. */
export function setRecorder(next: Recorder | null): void {
  recorder = next;
}

export const isTracing = (): boolean => recorder !== null;

/** Opens a span that the caller ends; null while tracing is off. */
export const openSpan = (description: SpanDescription): Span | null => recorder?.open(description) ?? null;

/** Opens a span only within another one, for operations that would be noise by themselves. */
export const openChild = (describe: () => SpanDescription): Span | null =>
  recorder?.isWithin() ? recorder.open(describe()) : null;

/** Returns the context with which another process continues the trace from here. */
export const traceContext = (): TraceContext => recorder?.context() ?? {};

/** Runs a function as a separate span, which fails if the function does. */
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
