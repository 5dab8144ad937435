import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { tracerWith } from "../src/tracing/open-telemetry.ts";
import { useTracer } from "../src/tracing/tracing.ts";
import type { SamplerName } from "../src/tracing/tracing-settings.ts";
import { afterTestFile } from "./clean-up.ts";

/**
 * Switches tracing on in this process until the end of the test file, without a collector. Returns the recorded spans
 * in the order in which they ended.
 */
export function recordTraces(sampler: SamplerName = "parentbased_always_on", ratio = 1): ReadableSpan[] {
  const spans: ReadableSpan[] = [];
  const processor = {
    onStart: () => {},
    onEnd: (span: ReadableSpan) => void spans.push(span),
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  useTracer(tracerWith(processor, { serviceName: "test", sampler, ratio }));
  afterTestFile(() => useTracer(null));
  return spans;
}

/** Splits a `traceparent` into its parts. Throws if it is invalid. */
export function parseTraceparent(traceparent: string): { traceId: string; spanId: string; isSampled: boolean } {
  const parts = /^00-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-0(?<flag>[01])$/.exec(traceparent)?.groups;
  if (parts === undefined) throw new Error(`${traceparent} is not a traceparent.`);
  const { traceId = "", spanId = "", flag } = parts;
  return { traceId, spanId, isSampled: flag === "1" };
}
