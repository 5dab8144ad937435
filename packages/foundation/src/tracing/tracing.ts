/** Names follow OpenTelemetry's semantic conventions if these define one. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  /**
   * `server`: handles a request. `client`: calls another system. `producer`: queues a message. Absent: work in this
   * process.
   */
  kind?: "server" | "client" | "producer";
  attributes?: SpanAttributes;
  /** The `traceparent` of the parent span; null starts a new trace. Absent: the current span is the parent. */
  parent?: string | null;
  /**
   * False for work that sends no `traceparent`. If the trace is not sampled, such work runs outside of any trace.
   */
  propagates?: boolean;
}

/** A span whose work is running. */
export interface Span {
  /** False in a trace that is not sampled: attributes are discarded. */
  readonly isRecording: boolean;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed although its work does not reject. */
  fail(reason: string): void;
}

/** A span that is not recorded. */
export const noSpan: Span = { isRecording: false, rename: () => {}, set: () => {}, fail: () => {} };

/** Creates spans. Exists only while tracing is on. */
export interface Tracer {
  /** Runs work in a span, which is the current span until the work ends. A rejection marks the span as failed. */
  inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** The current span as a `traceparent` header (W3C Trace Context). Null outside of a trace. */
  readonly traceparent: string | null;
  /** Whether the trace of the current span is sampled. */
  readonly isRecording: boolean;
  /** Sends the spans that are still in memory. */
  close(): Promise<void>;
}

let tracer: Tracer | null = null;

/** Null while tracing is off. Lets hot paths skip the allocation of span attributes. */
export const activeTracer = (): Tracer | null => tracer;

/** Switches tracing on for this process, or off with null. */
export function useTracer(newTracer: Tracer | null): void {
  tracer = newTracer;
}

/** Runs work in a span; runs it without a span while tracing is off. */
export function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  return tracer === null ? work(noSpan) : tracer.inSpan(name, options, work);
}

/** The current span as a `traceparent`. Null outside of a trace and while tracing is off. */
export const currentTraceparent = (): string | null => tracer?.traceparent ?? null;

/** The request header with which the receiver continues the current trace. Empty outside of a trace. */
export function traceHeader(): { traceparent?: string } {
  const traceparent = currentTraceparent();
  return traceparent === null ? {} : { traceparent };
}
