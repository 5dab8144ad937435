import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../../bench.ts";
import { get, post } from "../../load/request.ts";
import { withDatabase } from "../../processes/database.ts";
import { percentile } from "../../report/statistics.ts";

const concurrentBuyers = 16;
const pollMs = 10;
const targetMs = 1_000;
const servedWithinMs = 60_000;

/** The time when the service first returned a checkpoint of this size. */
interface ServedCheckpoint {
  size: number;
  atMs: number;
}

/**
 * Sends orders, and measures how long each takes from its response until a checkpoint includes its leaf. The leaf is
 * committed before the response.
 */
export async function licenseLogDelay(bench: Bench): Promise<void> {
  const respondedMs = new Map<number, number>();
  const endMs = performance.now() + bench.seconds * bench.rounds * 1_000;
  const buyers = Array.from({ length: concurrentBuyers }, async (_, buyer) => {
    for (let n = buyer; performance.now() < endMs; n += concurrentBuyers) {
      const beat_id = 1 + (n % Math.min(bench.beats, 10_000));
      const { body } = await post(bench, "/v1/orders", { beat_id, payment_method: "pm_card_visa" });
      respondedMs.set((JSON.parse(body) as { data: { order: { id: number } } }).data.order.id, performance.now());
    }
  });
  const watcher = watchCheckpoints(bench);
  await Promise.all(buyers);
  const indexes = await leafIndexes(bench, [...respondedMs.keys()]);
  const served = await watcher.until(Math.max(...indexes.values()) + 1);
  const delaysMs = [...respondedMs].map(([order, atMs]) => {
    const index = indexes.get(order) ?? Number.POSITIVE_INFINITY;
    const first = served.find(({ size }) => size > index);
    return Math.max(0, (first?.atMs ?? Number.POSITIVE_INFINITY) - atMs);
  });
  const row = (name: string, value: number, target: { max: number } | null) =>
    bench.report({ case: `license log: order to checkpoint, ${name}`, value, unit: "ms", target });
  bench.report({ case: "license log: orders", value: delaysMs.length, unit: "orders", target: null });
  row("p50", percentile(delaysMs, 0.5), null);
  row("p99", percentile(delaysMs, 0.99), { max: targetMs });
  row("max", Math.max(...delaysMs), null);
}

function watchCheckpoints(bench: Bench): { until(size: number): Promise<ServedCheckpoint[]> } {
  const served: ServedCheckpoint[] = [];
  let lastSize = Number.POSITIVE_INFINITY;
  let deadlineMs = Number.POSITIVE_INFINITY;
  const watching = (async () => {
    for (let size = 0; size < lastSize; ) {
      if (performance.now() > deadlineMs)
        throw new Error(
          `The license log serves ${size} of ${lastSize} leaves after ${servedWithinMs / 1_000} seconds.`,
        );
      const { body } = await get(bench, "/licenses/log/checkpoint");
      size = Number(body.split("\n")[1]);
      if (size !== served.at(-1)?.size) served.push({ size, atMs: performance.now() });
      await sleep(pollMs);
    }
  })();
  return {
    until: async (size) => {
      lastSize = size;
      deadlineMs = performance.now() + servedWithinMs;
      await watching;
      return served;
    },
  };
}

const leafIndexes = (bench: Bench, orderIds: readonly number[]): Promise<Map<number, number>> =>
  withDatabase(bench.databaseUrl, async (client) => {
    const { rows } = await client.query<{ order_id: string; index: string }>(
      "select order_id, index from license_log where kind = 'sold' and order_id = any($1)",
      [orderIds],
    );
    return new Map(rows.map(({ order_id, index }) => [Number(order_id), Number(index)]));
  });
