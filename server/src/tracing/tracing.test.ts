import { afterEach, expect, test } from "vitest";
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
const start = async (given: typeof settings | null) => {
  stop = await startTracing(given, { warn: () => {} });
};
afterEach(() => stop());

test("without a collector nothing is traced, and work runs as it is", async () => {
  await start(null);
  expect(activeTracer()).toBeNull();
  const seen = await inSpan("work", { parent }, async () => ({ ...traceHeader(), current: currentTraceparent() }));
  expect(seen).toEqual({ current: null });
});

test("a span continues the given parent, and spans inside of it continue the span", async () => {
  await start(settings);
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
  "what is no traceparent begins a trace, which the sampler decides about: %.20s",
  async (given) => {
    await start(settings);
    const begun = await inSpan("work", { parent: given }, async () => currentTraceparent());
    expect(begun).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(begun).not.toContain("0af7651916cd43dd8448eb211c80319c");
  },
);

test("a rejection passes through", async () => {
  await start(settings);
  await expect(inSpan("work", { parent }, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
});
