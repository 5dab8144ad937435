import {
  type Context,
  DiagLogLevel,
  diag,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import type { SamplerName, TracingSettings } from "../config.ts";
import type { Span, SpanOptions, Tracer } from "./tracing.ts";

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
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": settings.serviceName }),
    sampler: samplers[settings.sampler](settings.ratio),
    spanLimits: { attributeValueLengthLimit: maxStatementLength },
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  return new SdkTracer(provider);
}

class SdkTracer implements Tracer {
  readonly #provider: TracerProvider;
  readonly #tracer;
  readonly #contexts = new AsyncLocalStorageContextManager().enable();

  constructor(provider: TracerProvider) {
    this.#provider = provider;
    this.#tracer = provider.getTracer("beatmarket");
  }

  async inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    const { kind, attributes, parent } = options;
    const context = parent === undefined ? this.#contexts.active() : contextOf(parent);
    const span = this.#tracer.startSpan(
      name,
      { kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind], ...(attributes && { attributes }) },
      context,
    );
    try {
      return await this.#contexts.with(trace.setSpan(context, span), () => work(new SdkSpan(span)));
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
      throw error;
    } finally {
      span.end();
    }
  }

  get traceparent(): string | null {
    const current = trace.getSpanContext(this.#contexts.active());
    if (current === undefined) return null;
    const flags = (current.traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, "0");
    return `00-${current.traceId}-${current.spanId}-${flags}`;
  }

  get isRecording(): boolean {
    return trace.getSpan(this.#contexts.active())?.isRecording() ?? false;
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
