import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Bench } from "../bench.ts";
import { beatmarket } from "../programs.ts";
import { median } from "../report.ts";
import { get, post } from "../request.ts";

const run = promisify(execFile);
const longListEmail = "bench-orders@example.com";
const longListOrders = 100_000;
const readsOfAPage = 200;

/** Orders a second with the sandbox, one at a time and 64 at once; each is charged, settled, told of and answered. */
export async function orderSpeed(bench: Bench): Promise<void> {
  for (const atOnce of [1, 64]) {
    const rates: number[] = [];
    for (let round = 0; round < bench.rounds; round++) rates.push(await ordersPerSecond(bench, atOnce));
    bench.report({ case: `orders: ${atOnce} at once`, value: median(rates), unit: "orders/s", reach: null });
  }
}

async function ordersPerSecond(bench: Bench, atOnce: number): Promise<number> {
  const endMs = performance.now() + bench.seconds * 1000;
  const startedMs = performance.now();
  let made = 0;
  const buy = async (): Promise<void> => {
    while (performance.now() < endMs) {
      await post(bench, "/v1/orders", { beat_id: 1 + (made++ % 10_000), payment_method: "pm_card_visa" });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, buy));
  return made / ((performance.now() - startedMs) / 1000);
}

/** Page 1 and the last page of an account's 100,000 orders, the last by its number and by the url that leads to it. */
export async function longOrderList(bench: Bench): Promise<void> {
  const env = { DATA_DIR: bench.dataDir };
  const tool = fileURLToPath(new URL("../../../server/tools/order-load.main.ts", import.meta.url));
  await run(process.execPath, [tool, longListEmail, String(longListOrders)], { env: { ...process.env, ...env } });
  const made = await beatmarket(["keys", "create", "--email", longListEmail, "--plan", "internal", "--json"], env);
  const { key, id } = JSON.parse(made) as { key: string; id: number };
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
      bench.report({ case: `100,000 orders: last page ${name}`, value: lastMs, unit: "ms", reach: null });
      bench.report({
        case: `100,000 orders: last page ${name} to page 1`,
        value: lastMs / firstMs,
        unit: "ratio",
        reach: { max: 1.5 },
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
