import { join } from "node:path";
import { programEnv, startProgram } from "@beatmarket/postgres/testing/processes.ts";
import { expect, test } from "vitest";
import { testApi } from "../harness/api.ts";
import { insertBeats } from "../harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../harness/database/database.ts";

const main = join(import.meta.dirname, "../../src/main.ts");
const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const [beat = 0] = await insertBeats(database, [{ priceCents: 2990 }]);
let skippedMs = 0;
/** The system's clock, plus the time that the tests skip. */
const clock = { nowMs: () => Date.now() + skippedMs, monotonicMs: () => performance.now() + skippedMs };
const api = await testApi({ database, clock });
const post = (body: object) =>
  api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${api.key}` },
    payload: body,
  });

async function beatmarket(...args: string[]): Promise<{ code: number | null; out: string; stderr: string }> {
  const program = startProgram(process.execPath, [main, ...args], {
    env: { ...programEnv, DATABASE_URL: url, LOG_LEVEL: "silent" },
  });
  const out = await program.nextLine().catch(() => "");
  const { code, stderr } = await program.ended;
  return { code, out, stderr };
}

test("a server that listens completes an order that was confirmed before, and counts downloads and plays", async () => {
  await api.get(`/v1/beats/${beat}`);
  await api.request({ url: `/media/beats/${beat}.wav`, method: "GET" });
  expect((await post({ beat_id: beat, payment_method: "pm_card_visa" })).json().data.order.status).toBe("completed");
  const waiting = (await post({ beat_id: beat, payment_method: "pm_card_authenticationRequired" })).json().data.order;
  // The buyer confirmed the payment at the bank while no server listened.
  await database.driver`update sandbox_payments set status = 'succeeded' where order_id = ${waiting.id}`;

  await api.app.listen({ port: 0, host: "127.0.0.1" });
  await expect.poll(async () => (await api.get(`/v1/orders/${waiting.id}`)).json().data.order.status).toBe("completed");
  // Counters are updated at most once a minute, from the end of the last run on. So the test advances the clock until a
  // run has seen both orders.
  const aMinuteLater = () => {
    skippedMs += 60_000;
    return api.get(`/v1/beats/${beat}`);
  };
  await expect
    .poll(async () => (await aMinuteLater()).json().data.beat)
    .toMatchObject({ download_count: 2, play_count: 1 });
});

test("orders confirm completes an order whose payment waited for its buyer, and only once", async () => {
  const { id } = (await post({ beat_id: beat, payment_method: "pm_card_authenticationRequired" })).json().data.order;
  const confirmed = await beatmarket("orders", "confirm", String(id), "--json");
  expect(confirmed).toMatchObject({ code: 0, out: JSON.stringify({ id, status: "completed" }) });
  expect((await api.get(`/v1/orders/${id}`)).json().data.order.status).toBe("completed");
  // Only an order that waits for its buyer can be confirmed; the error says so.
  const secondRun = await beatmarket("orders", "confirm", String(id));
  expect(secondRun).toMatchObject({ code: 1, stderr: expect.stringContaining("waits for its buyer") });
});
