/** By the names of OpenTelemetry's semantic conventions, where they have one. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  /** `server`: answers a call; `client`: calls another system; `producer`: makes what is sent later. Absent: work inside this process. */
  kind?: "server" | "client" | "producer";
  attributes?: SpanAttributes;
  /** The `traceparent` to continue instead of the current span; null begins a trace. Absent: the current span. */
  parent?: string | null;
  /** False for work that never passes its trace on: where it is not recorded, it runs outside of any trace. */
  passesOn?: boolean;
}

/** A span while its work runs. */
export interface Span {
  /** False in a trace that was not sampled: what is set is for nobody. */
  readonly isRecording: boolean;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks it as failed, where the work does not reject. */
  fail(reason: string): void;
}

/** The span of work that nobody records. */
export const noSpan: Span = { isRecording: false, rename: () => {}, set: () => {}, fail: () => {} };

/** Makes spans. It exists only where tracing is on. */
export interface Tracer {
  /** Runs work in a span, which is current meanwhile. A rejection marks the span as failed. */
  inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** The current span as a `traceparent` header (W3C Trace Context); null outside of any. */
  readonly traceparent: string | null;
  /** Whether the current span is recorded: it is part of a trace that was sampled. */
  readonly isRecording: boolean;
  /** Sends what is still in memory. */
  close(): Promise<void>;
}

let tracer: Tracer | null = null;

/** Null while tracing is off. Hot paths ask for it, and allocate nothing for a span that nobody wants. */
export const activeTracer = (): Tracer | null => tracer;

/** Switches tracing on for this process, or off with null. */
export function useTracer(its: Tracer | null): void {
  tracer = its;
}

/** Runs work in a span; while tracing is off it only runs the work. */
export function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  return tracer === null ? work(noSpan) : tracer.inSpan(name, options, work);
}

/** The current span as a `traceparent`; null outside of any, and while tracing is off. */
export const currentTraceparent = (): string | null => tracer?.traceparent ?? null;

/** The header that continues the current trace in the receiver of a request. */
export function traceHeader(): { traceparent?: string } {
  const traceparent = currentTraceparent();
  return traceparent === null ? {} : { traceparent };
}
