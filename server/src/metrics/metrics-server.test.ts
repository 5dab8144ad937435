import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { MediaJobMetrics } from "./metrics-server.ts";

test("a worker shows the last measured queue and the attempts of its process", async () => {
  const registry = new Registry();
  const queue = { state: { waiting: 3, running: 1, oldestSeconds: 12.5 } };
  const metrics = new MediaJobMetrics(queue, registry);
  metrics.observe({ kind: "analyse", durationMs: 700, hasFailed: false });
  metrics.observe({ kind: "analyse", durationMs: 1_700, hasFailed: true });
  const text = await registry.metrics();
  for (const line of [
    'beatmarket_media_jobs{state="waiting"} 3',
    'beatmarket_media_jobs{state="running"} 1',
    "beatmarket_media_jobs_oldest_seconds 12.5",
    'beatmarket_media_job_seconds_bucket{le="1",kind="analyse"} 1',
    'beatmarket_media_job_seconds_count{kind="analyse"} 2',
    'beatmarket_media_job_failures_total{kind="analyse"} 1',
  ])
    expect(text.split("\n")).toContain(line);
  queue.state = { waiting: 0, running: 0, oldestSeconds: 0 };
  expect(await registry.metrics()).toContain('beatmarket_media_jobs{state="waiting"} 0');
});
