import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { CallMetrics } from "./serving-metrics.ts";

it("shows calls by operation and status, and their durations as a cumulative histogram", async () => {
  const registry = new Registry();
  const metrics = new CallMetrics(registry);
  const observeCall = (ms: number, operation: string | null, status: number) =>
    metrics.observe({
      route: { operationId: operation, access: { by: "anyone" } },
      durationMs: ms,
      status,
    });
  observeCall(0, "listBeats", 200);
  observeCall(30, "listBeats", 200);
  observeCall(60_000, "listBeats", 503);
  observeCall(0, null, 404);
  const text = await registry.metrics();
  const lines = text.split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "# TYPE beatmarket_requests_total counter",
      'beatmarket_requests_total{operation="listBeats",status="200"} 2',
      'beatmarket_requests_total{operation="listBeats",status="503"} 1',
      'beatmarket_requests_total{operation="none",status="404"} 1',
      "# TYPE beatmarket_request_duration_seconds histogram",
      'beatmarket_request_duration_seconds_bucket{le="0.025",operation="listBeats"} 1',
      'beatmarket_request_duration_seconds_bucket{le="10",operation="listBeats"} 2',
      'beatmarket_request_duration_seconds_bucket{le="+Inf",operation="listBeats"} 3',
      'beatmarket_request_duration_seconds_count{operation="listBeats"} 3',
    ]),
  );
  expect(Number(/_sum\{operation="listBeats"\} (\S+)/.exec(text)?.[1])).toBeCloseTo(60.03);
  // A second scrape must not count the calls again.
  expect(await registry.metrics()).toContain('beatmarket_requests_total{operation="listBeats",status="200"} 2');
});
