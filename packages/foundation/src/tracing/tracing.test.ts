import { SpanStatusCode } from "@opentelemetry/api";
import { afterEach, describe, expect, test } from "vitest";
import { recordTraces } from "../../testing/tracing.ts";
import { startTracing } from "./start-tracing.ts";
import { activeTracer, currentTraceparent, inSpan, traceHeader } from "./tracing.ts";

const settings = {
  tracesUrl: "http://127.0.0.1:9/v1/traces",
  headers: {},
  serviceName: "test",
  sampler: "parentbased_always_off",
  ratio: 1,
} as const;
const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

let stop = async () => {};
const start = async (tracingSettings: typeof settings | null) => {
  stop = await startTracing(tracingSettings, { warn: () => {} });
};
afterEach(async () => {
  await stop();
  stop = async () => {};
});

test("work runs untraced without settings", async () => {
  await start(null);
  expect(activeTracer()).toBeNull();
  const headers = await inSpan("work", { parent }, async () => ({ ...traceHeader(), current: currentTraceparent() }));
  expect(headers).toEqual({ current: null });
});

test("a span continues its parent, and spans within it continue the span", async () => {
  recordTraces();
  const [outer, inner] = await inSpan("outer", { parent }, async () => {
    const outside = currentTraceparent();
    return [outside, await inSpan("inner", {}, async () => traceHeader().traceparent)];
  });
  expect(outer).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
  expect(inner).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
  expect(new Set([parent, outer, inner]).size).toBe(3);
  expect(currentTraceparent()).toBeNull();
});

test.each([null, "", "00-0-0-01", "x".repeat(10_000), `${parent.slice(0, -2)}zz`])(
  "an absent or invalid traceparent starts a new trace, for which the sampler decides: %.20s",
  async (invalidParent) => {
    await start(settings);
    const traceparent = await inSpan("work", { parent: invalidParent }, async () => currentTraceparent());
    expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(traceparent).not.toContain("0af7651916cd43dd8448eb211c80319c");
  },
);

test("a rejection is passed on and marks the span as failed", async () => {
  const spans = recordTraces();
  await expect(inSpan("work", { parent }, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(spans.map(({ status }) => status)).toEqual([{ code: SpanStatusCode.ERROR, message: "no" }]);
});

describe("a trace that is not sampled", () => {
  const unsampled = `${parent.slice(0, -2)}00`;

  test("has no spans, and has one traceparent for all work within it", async () => {
    const spans = recordTraces();
    const [first, second, inner] = await inSpan("outer", { parent: unsampled }, async (span) => {
      expect(span.isRecording || activeTracer()?.isRecording).toBe(false);
      const inside = await inSpan("inner", { kind: "client" }, async () => currentTraceparent());
      return [currentTraceparent(), currentTraceparent(), inside];
    });
    expect(first).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/);
    expect([second, inner]).toEqual([first, first]);
    expect(spans).toEqual([]);
    expect(currentTraceparent()).toBeNull();
  });

  test("hides its traceparent from work that never propagates it; a sampled trace records such work", async () => {
    const spans = recordTraces();
    const current = async () => currentTraceparent();
    expect(await inSpan("read", { parent: unsampled, propagates: false }, current)).toBeNull();
    expect(spans).toEqual([]);
    expect(await inSpan("read", { parent, propagates: false }, current)).toContain("0af7651916cd43dd8448eb211c80319c");
    expect(spans.map(({ name }) => name)).toEqual(["read"]);
  });

  test("may contain work of another trace, which is recorded if that trace is sampled", async () => {
    const spans = recordTraces();
    await inSpan("outer", { parent: unsampled }, () => inSpan("other", { parent }, async () => {}));
    expect(spans.map(({ name }) => name)).toEqual(["other"]);
  });
});

test.each([
  { sampler: "always_on", ratio: 1, flag: "00", isRecorded: true },
  { sampler: "always_off", ratio: 1, flag: "01", isRecorded: false },
  { sampler: "parentbased_always_on", ratio: 1, flag: "00", isRecorded: false },
  { sampler: "parentbased_traceidratio", ratio: 0, flag: "01", isRecorded: true },
  { sampler: "traceidratio", ratio: 0, flag: "01", isRecorded: false },
  { sampler: "traceidratio", ratio: 1, flag: "00", isRecorded: true },
] as const)(
  "the sampler $sampler with ratio $ratio decides for a caller's flag $flag: isRecorded is $isRecorded",
  async ({ sampler, ratio, flag, isRecorded }) => {
    const spans = recordTraces(sampler, ratio);
    const traceparent = await inSpan("work", { parent: parent.slice(0, -2) + flag }, async () => currentTraceparent());
    expect(spans).toHaveLength(isRecorded ? 1 : 0);
    expect(traceparent?.endsWith(isRecorded ? "-01" : "-00")).toBe(true);
  },
);
