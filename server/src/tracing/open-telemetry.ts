import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  DiagLogLevel,
  diag,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import type { SamplerName, TracingSettings } from "../config.ts";
import { noSpan, type Span, type SpanOptions, type Tracer } from "./tracing.ts";

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;
const maxStatementLength = 2_000;

const samplers: Record<SamplerName, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

/** Makes spans with OpenTelemetry's SDK, and sends them by OTLP over HTTP. What cannot be sent is dropped, with a warning. */
export function openTracer(settings: TracingSettings, log: Pick<Logger, "warn">): Tracer {
  const warn = (message: string) => log.warn({ reason: message }, "traces could not be sent");
  const silent = () => {};
  diag.setLogger(
    { error: warn, warn, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const exporter = new OTLPTraceExporter({ url: settings.tracesUrl, headers: settings.headers });
  return tracerWith(new BatchSpanProcessor({ exporter }), settings);
}

/** Makes spans, and hands what is recorded to a processor. */
export function tracerWith(
  processor: SpanProcessor,
  { serviceName, sampler, ratio }: Pick<TracingSettings, "serviceName" | "sampler" | "ratio">,
): Tracer {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": serviceName }),
    sampler: samplers[sampler](ratio),
    spanLimits: { attributeValueLengthLimit: maxStatementLength },
    spanProcessors: [processor],
  });
  return new SdkTracer(provider);
}

/** Where in a trace the current work is. */
interface Place {
  readonly ids: SpanContext;
  /** Null in a trace that is not recorded: nothing further inside of it is, either. */
  readonly context: Context | null;
}

/** The sampler decides before anything is made for a span. Work of a trace that is not recorded costs its ids. */
class SdkTracer implements Tracer {
  readonly #provider: TracerProvider;
  readonly #tracer;
  readonly #places = new AsyncLocalStorage<Place>();

  constructor(provider: TracerProvider) {
    this.#provider = provider;
    this.#tracer = provider.getTracer("beatmarket");
  }

  inSpan<T>(name: string, { kind, attributes, parent }: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    const place = parent === undefined ? this.#places.getStore() : undefined;
    if (place?.context === null) return work(noSpan);
    const context = place?.context ?? contextOf(parent ?? null);
    const options = { kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind], ...(attributes && { attributes }) };
    const span = this.#tracer.startSpan(name, options, context);
    if (span.isRecording()) return this.#record(span, context, work);
    return this.#places.run({ ids: span.spanContext(), context: null }, work, noSpan);
  }

  async #record<T>(span: OtelSpan, context: Context, work: (span: Span) => Promise<T>): Promise<T> {
    try {
      const place = { ids: span.spanContext(), context: trace.setSpan(context, span) };
      return await this.#places.run(place, work, new SdkSpan(span));
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
      throw error;
    } finally {
      span.end();
    }
  }

  get traceparent(): string | null {
    const place = this.#places.getStore();
    if (place === undefined) return null;
    const { traceId, spanId, traceFlags } = place.ids;
    return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, "0")}`;
  }

  get isRecording(): boolean {
    return (this.#places.getStore()?.context ?? null) !== null;
  }

  async close(): Promise<void> {
    await this.#provider.shutdown();
  }
}

/** A `traceparent` that is none begins a trace. */
function contextOf(traceparent: string | null): Context {
  const parent = traceparent === null ? null : parseTraceParent(traceparent);
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
}

class SdkSpan implements Span {
  readonly isRecording = true;
  readonly #span: OtelSpan;

  constructor(span: OtelSpan) {
    this.#span = span;
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  set(attributes: Parameters<Span["set"]>[0]): void {
    this.#span.setAttributes(attributes);
  }

  fail(reason: string): void {
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message: reason });
  }
}
