import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Bench } from "../../bench.ts";
import { get, post } from "../../load/request.ts";
import { beatmarket } from "../../processes/programs.ts";
import { median } from "../../report/statistics.ts";

const run = promisify(execFile);
const longListEmail = "bench-orders@example.com";
const longListOrders = 100_000;
const readsOfAPage = 200;
/** For each number of concurrent callers, the minimum rate of orders as a share of the rate of reads of beats. */
const targets = [
  [1, 0.03],
  [64, 0.04],
] as const;

/**
 * Compares the rate of orders in the sandbox with the rate at which the same callers read beats by id, in turns: one
 * call at a time, and 64 at once. Each order is charged and settled, writes its event, and is returned.
 */
export async function orderSpeed(bench: Bench): Promise<void> {
  const idOf = (n: number) => 1 + (n % Math.min(bench.beats, 10_000));
  const order = (n: number) => post(bench, "/v1/orders", { beat_id: idOf(n), payment_method: "pm_card_visa" });
  const randomBeat = () => get(bench, `/v1/beats/${1 + Math.floor(Math.random() * bench.beats)}`);
  for (const [atOnce, min] of targets) {
    const orderRates: number[] = [];
    const readRates: number[] = [];
    for (let round = 0; round < bench.rounds; round++) {
      orderRates.push(await callsPerSecond(bench, atOnce, order));
      readRates.push(await callsPerSecond(bench, atOnce, randomBeat));
    }
    const value = median(orderRates.map((rate, round) => rate / (readRates[round] ?? Number.NaN)));
    bench.report({ case: `orders: ${atOnce} at once`, value: median(orderRates), unit: "orders/s", target: null });
    bench.report({
      case: `orders: ${atOnce} at once, relative to beats by id`,
      value,
      unit: "× the rate",
      target: { min },
    });
  }
}

async function callsPerSecond(bench: Bench, atOnce: number, call: (n: number) => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  const endMs = startedMs + bench.seconds * 1_000;
  let callCount = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < endMs) await call(callCount++);
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return callCount / ((performance.now() - startedMs) / 1_000);
}

/** Measures page 1 and the last page of an account's 100,000 orders, the last by its number and by `next_page_url`. */
export async function longOrderList(bench: Bench): Promise<void> {
  const env = { DATA_DIR: bench.dataDir };
  const tool = fileURLToPath(new URL("../../../../server/tools/load/order-load.main.ts", import.meta.url));
  await run(process.execPath, [tool, longListEmail, String(longListOrders)], { env: { ...process.env, ...env } });
  const keyJson = await beatmarket(["keys", "create", "--email", longListEmail, "--plan", "internal", "--json"], env);
  const { key, id } = JSON.parse(keyJson) as { key: string; id: number };
  const buyer = { ...bench, key };
  try {
    const pagination = async (path: string) =>
      (JSON.parse((await get(buyer, path)).body) as { data: { pagination: Record<string, string | number | null> } })
        .data.pagination;
    const pathOf = (url: unknown): string => String(url).replace(/^https:\/\/[^/]+/, "");
    const { last_page } = await pagination("/v1/orders");
    const byNumber = `/v1/orders?page=${last_page}`;
    const { prev_page_url } = await pagination(byNumber);
    const { next_page_url } = await pagination(pathOf(prev_page_url));
    const firstMs = await medianMs(buyer, "/v1/orders");
    for (const [name, path] of [
      ["by number", byNumber],
      ["by url", pathOf(next_page_url)],
    ] as const) {
      const lastMs = await medianMs(buyer, path);
      bench.report({ case: `100,000 orders: last page ${name}`, value: lastMs, unit: "ms", target: null });
      bench.report({
        case: `100,000 orders: last page ${name} relative to page 1`,
        value: lastMs / firstMs,
        unit: "×",
        target: { max: 1.5 },
      });
    }
  } finally {
    await beatmarket(["keys", "revoke", String(id), "--json"], env);
  }
}

async function medianMs(buyer: Bench, path: string): Promise<number> {
  const durationsMs: number[] = [];
  for (let read = 0; read < readsOfAPage; read++) {
    const startedMs = performance.now();
    await get(buyer, path);
    durationsMs.push(performance.now() - startedMs);
  }
  return median(durationsMs);
}
