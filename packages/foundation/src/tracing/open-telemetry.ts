import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  DiagLogLevel,
  diag,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
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
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import { noSpan, type Span, type SpanOptions, type Tracer } from "./tracing.ts";
import type { SamplerName, TracingSettings } from "./tracing-settings.ts";

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER } as const;
const maxStatementLength = 2_000;

const samplers: Record<SamplerName, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

/**
 * Creates spans with OpenTelemetry's SDK and sends them by OTLP over HTTP. Spans that cannot be sent are dropped and a
 * warning is logged.
 */
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

/** Creates spans, and passes the recorded spans to a processor. */
export function tracerWith(
  processor: SpanProcessor,
  { serviceName, sampler, ratio }: Pick<TracingSettings, "serviceName" | "sampler" | "ratio">,
): Tracer {
  return new SdkTracer(serviceName, samplers[sampler](ratio), processor);
}

/** The position of the current work in a trace. */
interface TracePosition {
  /** Null if the trace is not sampled. */
  readonly context: Context | null;
  readonly traceId: string;
  /** Null in a trace that is not sampled, until `traceparent` is read. */
  spanId: string | null;
}

/**
 * Asks the sampler before a span is created, so that a trace that is not sampled costs no more than its id. The SDK's
 * own sampler therefore records everything.
 */
class SdkTracer implements Tracer {
  readonly #sampler: Sampler;
  readonly #ids = new RandomIdGenerator();
  readonly #provider: TracerProvider;
  readonly #tracer;
  readonly #positions = new AsyncLocalStorage<TracePosition>();
  /** The trace id of the next span, for the SDK's id generator. */
  #traceId = "";

  constructor(serviceName: string, sampler: Sampler, processor: SpanProcessor) {
    this.#sampler = sampler;
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ "service.name": serviceName }),
      sampler: new AlwaysOnSampler(),
      idGenerator: { generateTraceId: () => this.#traceId, generateSpanId: () => this.#ids.generateSpanId() },
      spanLimits: { attributeValueLengthLimit: maxStatementLength },
      spanProcessors: [processor],
    });
    this.#tracer = this.#provider.getTracer("beatmarket");
  }

  inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    const { kind, attributes, parent, propagates = true } = options;
    const spanKind = kind === undefined ? SpanKind.INTERNAL : kinds[kind];
    const current = parent === undefined ? this.#positions.getStore() : undefined;
    const position = current ?? this.#sample(name, spanKind, parent ?? null);
    if (position.context === null) return propagates ? this.#positions.run(position, work, noSpan) : work(noSpan);
    this.#traceId = position.traceId;
    const span = this.#tracer.startSpan(name, { kind: spanKind, ...(attributes && { attributes }) }, position.context);
    return this.#record(span, position.context, work);
  }

  /**
   * Continues the caller's trace, or starts one if there is no valid traceparent. The sampler decides whether it is
   * recorded.
   */
  #sample(name: string, kind: SpanKind, traceparent: string | null): TracePosition {
    const caller = traceparent === null ? null : parseTraceParent(traceparent);
    const traceId = caller?.traceId ?? this.#ids.generateTraceId();
    const context = caller === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true });
    const { decision } = this.#sampler.shouldSample(context, traceId, name, kind, {}, []);
    return { context: decision === SamplingDecision.NOT_RECORD ? null : context, traceId, spanId: null };
  }

  async #record<T>(span: OtelSpan, context: Context, work: (span: Span) => Promise<T>): Promise<T> {
    try {
      const { traceId, spanId } = span.spanContext();
      const position = { context: trace.setSpan(context, span), traceId, spanId };
      return await this.#positions.run(position, work, new SdkSpan(span));
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
      throw error;
    } finally {
      span.end();
    }
  }

  get traceparent(): string | null {
    const position = this.#positions.getStore();
    if (position === undefined) return null;
    position.spanId ??= this.#ids.generateSpanId();
    return `00-${position.traceId}-${position.spanId}-${position.context === null ? "00" : "01"}`;
  }

  get isRecording(): boolean {
    return (this.#positions.getStore()?.context ?? null) !== null;
  }

  async close(): Promise<void> {
    await this.#provider.shutdown();
  }
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
