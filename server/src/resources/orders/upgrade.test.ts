import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { builtInTerms } from "@beatmarket/license-terms/built-in.ts";
import type { ChangedLimits } from "@beatmarket/license-terms/limits.ts";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { consoleType, testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import {
  insertLicense,
  issueKeepingPrices,
  issueTestLicense,
  recordTermsWith,
} from "../../../test/harness/database/licenses.ts";
import { testSeller } from "../../../test/harness/seller.ts";

const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-upgrades-"));
afterAll(() => rm(dataDir, { recursive: true, force: true }));
const clock = new FakeClock(Date.UTC(2027, 0, 15, 12));
const api = await testApi({ dataDir, clock, seller: testSeller });
const { query: db, driver } = api.database;

let beat = 0;
beforeEach(async () => {
  beat = await insertBeatWithPrices({ basic: 2_990, premium: 5_990, unlimited: 9_990, exclusive: 35_990 });
});

async function insertBeatWithPrices(prices: { basic: number; premium: number; unlimited: number; exclusive: number }) {
  const [id = 0] = await insertBeats(api.database, [
    { title: "Midnight", producer: "Nightowl", priceCents: prices.basic },
  ]);
  await db
    .updateTable("beats")
    .set({
      premium_price_cents: prices.premium,
      unlimited_price_cents: prices.unlimited,
      exclusive_price_cents: prices.exclusive,
    })
    .where("id", "=", id)
    .execute();
  return id;
}

const post = (url: string, payload: object, { key = api.key, headers = {} }: { key?: string; headers?: object } = {}) =>
  api.request({ method: "POST", url: `/v1${url}`, headers: { authorization: `Bearer ${key}`, ...headers }, payload });
const payment = { payment_method: "pm_card_visa" };

/** Buys a license and issues its certificate. */
async function buyLicense(license_type: string, key = api.key): Promise<{ id: string; orderId: number }> {
  const { order } = (await post("/orders", { beat_id: beat, license_type, ...payment }, { key })).json().data;
  expect(order.status).toBe("completed");
  return { id: await issueTestLicense(api.database, order.id), orderId: order.id };
}
const upgrade = (
  id: string,
  license_type: string,
  more: object = {},
  options: { key?: string; headers?: object } = {},
) => post(`/licenses/${id}/upgrade`, { license_type, ...payment, ...more }, options);
const statusOf = async (id: string) =>
  (await api.get(`/licenses/${id}`, { key: null, accept: "application/json" })).json().data.license;
const refund = (orderId: number, cents: number) =>
  db.updateTable("orders").set({ refunded_cents: cents, refunded_at: clock.now() }).where("id", "=", orderId).execute();
const completedOrders = () =>
  db
    .selectFrom("orders")
    .select(["id", "amount_cents", "user_id"])
    .where("beat_id", "=", beat)
    .where("status", "=", "completed")
    .execute();

describe("POST /licenses/{license_id}/upgrade", () => {
  it("buys the higher license for the difference, in both forms, and the old license names its replacement", async () => {
    const old = await buyLicense("basic");
    const response = await upgrade(old.id, "premium", {}, { headers: { accept: consoleType } });
    expect(response.statusCode, response.body).toBe(201);
    const order = response.json().data;
    expect(order).toMatchObject({ status: "completed", license_type: "premium", amount: 30, beat: { id: beat } });
    expect(response.headers.location).toMatch(new RegExp(`/orders/${order.id}$`));
    expect(await statusOf(old.id)).toMatchObject({ status: "replaced", replaced_by: null });
    const id = await issueTestLicense(api.database, order.id);
    expect(await statusOf(old.id)).toMatchObject({
      status: "replaced",
      replaced_by: id,
      replaced_at: "2027-01-15T12:00:00Z",
    });
    expect(await statusOf(id)).toMatchObject({ status: "valid", replaces: old.id });
    const answer = await post(`/licenses/${old.id}/may`, { use: "streams", quantity: 250_000 });
    expect(answer.json().data.verdict).toMatchObject({
      status: "replaced",
      replaced_by: id,
      allowed: "no",
      remedy: null,
    });
    const page = (await api.get(`/licenses/${old.id}`, { key: null, accept: "text/html" })).body;
    expect(page).toContain("This license was replaced by another one on 15 January 2027");
    expect(page).toContain(`href="/licenses/${id}"`);
  });

  it("writes the entries of an order: ledger, license log and both events", async () => {
    const old = await buyLicense("basic");
    const response = await upgrade(old.id, "premium");
    const { headers } = response;
    const { order } = response.json().data;
    const [sale] = await driver<{ moved: number; total: number }[]>`
      select sum(amount_cents) filter (where amount_cents > 0)::int as moved, sum(amount_cents)::int as total
      from ledger_entries join ledger_transactions on ledger_transactions.id = transaction_id where order_id = ${order.id}`;
    expect(sale).toEqual({ moved: 3_000, total: 0 });
    const leaves = await db
      .selectFrom("license_log")
      .select(["kind", "beat_id"])
      .where("order_id", "=", order.id)
      .execute();
    expect(leaves).toEqual([{ kind: "sold", beat_id: beat }]);
    const events = await db
      .selectFrom("events")
      .select(["type", "payload"])
      .where("request_id", "=", String(headers["x-request-id"]))
      .execute();
    expect(events.map(({ type }) => type).sort()).toEqual(["beat.purchased", "license.upgraded"]);
    const upgraded = JSON.parse(events.find(({ type }) => type === "license.upgraded")?.payload ?? "");
    expect(upgraded.data).toMatchObject({
      order_id: order.id,
      license_type: "premium",
      amount: 30,
      replaced_license_id: old.id,
    });
  });

  it("sends a receipt with the amount, which says that the license is an upgrade", async () => {
    const old = await buyLicense("basic");
    const { order } = (await upgrade(old.id, "premium")).json().data;
    const mails = await driver<{ facts: string }[]>`select facts::text from outgoing_mails where template = 'receipt'
      and facts::text like ${`%"${order.id}"%`}`;
    expect(mails).toEqual([
      { facts: expect.stringContaining("premium license in place of your present one, 30.00 USD") },
    ]);
    const plain = await driver<{ facts: string }[]>`select facts::text from outgoing_mails where template = 'receipt'
      and facts::text like ${`%"${old.orderId}"%`}`;
    expect(plain[0]?.facts).not.toContain("in place of");
  });

  it("issues an invoice over the difference, and does not change the invoice of the first order", async () => {
    const old = await buyLicense("basic");
    const { order } = (await upgrade(old.id, "premium")).json().data;
    const invoices =
      await driver`select order_id, kind, amount_cents::int from invoices where order_id in (${old.orderId}, ${order.id}) order by id`;
    expect(invoices).toMatchObject([{ amount_cents: 2_990 }, { amount_cents: 3_000 }]);
  });

  it("charges once for one Idempotency-Key", async () => {
    const old = await buyLicense("basic");
    const headers = { "idempotency-key": `upgrade-${old.id}` };
    const [first, second] = [
      await upgrade(old.id, "premium", {}, { headers }),
      await upgrade(old.id, "premium", {}, { headers }),
    ];
    expect([first.statusCode, second.statusCode, second.json().data.order.id]).toEqual([
      201,
      201,
      first.json().data.order.id,
    ]);
    expect(await completedOrders()).toHaveLength(2);
  });

  it("charges only the amount that the buyer agreed to", async () => {
    const old = await buyLicense("basic");
    const refusal = await upgrade(old.id, "premium", { expected_amount: 59.9, currency: "USD" });
    expect([refusal.statusCode, refusal.json().error.details]).toEqual([
      409,
      expect.stringContaining("costs 30.00 USD today"),
    ]);
    expect((await upgrade(old.id, "premium", { expected_amount: 30, currency: "USD" })).statusCode).toBe(201);
  });

  it("leaves the old license valid if the payment is declined, or the upgrade is refunded", async () => {
    const old = await buyLicense("basic");
    const declined = (await upgrade(old.id, "premium", { payment_method: "pm_card_visa_chargeDeclined" })).json().data
      .order;
    expect(declined.status).toBe("failed");
    expect(await statusOf(old.id)).toMatchObject({ status: "valid" });
    const { order } = (await upgrade(old.id, "premium")).json().data;
    await refund(order.id, 3_000);
    expect(await statusOf(old.id)).toMatchObject({ status: "valid" });
    expect((await upgrade(old.id, "unlimited")).json().data.order).toMatchObject({ status: "completed", amount: 70 });
  });

  it("answers 409 with the reason if a license cannot be upgraded or renewed, and renews an expired one", async () => {
    const reason = async (id: string, type: string) => {
      const response = await upgrade(id, type);
      return response.statusCode === 409 ? response.json().error.details : response.statusCode;
    };
    const refunded = await buyLicense("basic");
    await refund(refunded.orderId, 2_990);
    expect(await reason(refunded.id, "premium")).toContain("was refunded in full");
    const replaced = await buyLicense("premium");
    expect(await reason(replaced.id, "basic")).toContain("Only a higher one upgrades it");
    expect(await reason(replaced.id, "premium")).toContain(
      "is valid until 2037-01-14, and can be renewed from 2036-10-16 on",
    );
    const waiting = await upgrade(replaced.id, "unlimited", { payment_method: "pm_card_authenticationRequired" });
    expect(waiting.json().data.order.status).toBe("pending");
    expect(await reason(replaced.id, "unlimited")).toContain(`Order ${waiting.json().data.order.id}, which replaces`);
    await driver`update orders set status = 'failed', failed_at = now(), failure_reason = 'Not paid.' where id = ${waiting.json().data.order.id}`;
    const next = (await upgrade(replaced.id, "unlimited")).json().data.order;
    expect(await reason(replaced.id, "exclusive")).toContain(`was replaced by the license of order ${next.id}`);
    const { id: old } = await insertLicense(api.database, {
      buyerId: api.userId,
      purchasedAt: new Date("2021-01-01T00:00:00Z"),
    });
    const renewed = (await upgrade(old, "basic")).json().data.order;
    expect(renewed).toMatchObject({ status: "completed", license_type: "basic", amount: 29.9 });
  });

  it("answers 404 to another account, 400 without a payment method, and 403 without orders:write", async () => {
    const old = await buyLicense("basic");
    const stranger = await api.makeKey({ email: "stranger@example.com" });
    expect((await upgrade(old.id, "premium", {}, { key: stranger })).statusCode).toBe(404);
    expect((await upgrade(old.id, "premium", { payment_method: undefined })).statusCode).toBe(400);
    const reader = await api.makeKey({ permissions: ["orders:read"] });
    expect((await upgrade(old.id, "premium", {}, { key: reader })).statusCode).toBe(403);
  });

  it("places one of ten concurrent upgrades", async () => {
    const old = await buyLicense("basic");
    const answers = await Promise.all(Array.from({ length: 10 }, () => upgrade(old.id, "premium")));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(9).fill(409)]);
    expect(await completedOrders()).toHaveLength(2);
  });
});

it("one of 50 concurrent upgrades to an exclusive license succeeds, and 49 buyers keep license and money", async () => {
  const holders = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const key = await api.makeKey({ email: `holder-${index}@example.com`, plan: "internal" });
      return { key, license: await buyLicense("basic", key) };
    }),
  );
  const answers = await Promise.all(holders.map(({ key, license }) => upgrade(license.id, "exclusive", {}, { key })));
  const won = answers.filter(({ statusCode }) => statusCode === 201);
  expect(won).toHaveLength(1);
  expect(won[0]?.json().data.order).toMatchObject({ status: "completed", amount: 330 });
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(49);
  const statuses: string[] = [];
  for (const { license } of holders) statuses.push((await statusOf(license.id)).status);
  expect(statuses.filter((status) => status === "valid")).toHaveLength(49);
  const orders = await completedOrders();
  expect(orders).toHaveLength(51);
  expect(orders.reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(50 * 2_990 + 33_000);
});

it("all steps to a license together cost its price, to the cent", async () => {
  const cents = fc.integer({ min: 1, max: 500_000 });
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(cents, cents, cents, cents),
      fc.subarray(["basic", "premium", "unlimited"], { minLength: 1 }),
      async (steps, below) => {
        const [basic, premium, unlimited, exclusive] = steps.map((_, index) =>
          steps.slice(0, index + 1).reduce((sum, step) => sum + step, 0),
        ) as [number, number, number, number];
        beat = await insertBeatWithPrices({ basic, premium, unlimited, exclusive });
        const [first = "basic", ...others] = below;
        let license = await buyLicense(first);
        for (const type of [...others, "exclusive"]) {
          const { order } = (await upgrade(license.id, type)).json().data;
          license = { id: await issueTestLicense(api.database, order.id), orderId: order.id };
        }
        const paid = (await completedOrders()).reduce((sum, { amount_cents }) => sum + amount_cents, 0);
        expect(paid).toBe(exclusive);
      },
    ),
    { numRuns: 12 },
  );
});

/** Limits within the bounds of the built-in terms. Premium allows more than basic, as required. */
const changedLimits: fc.Arbitrary<{ basic?: ChangedLimits; premium?: ChangedLimits }> = fc.record(
  {
    basic: fc.record({
      streams: fc.constantFrom(1_000, 6_000, 1_000_000),
      copies: fc.constantFrom(100, 4_000, 50_000),
      videos: fc.constantFrom(0, 3, 5),
      years: fc.constantFrom(1, 5),
    }),
    premium: fc.record({
      streams: fc.constantFrom(1_000_001, 10_000_000),
      copies: fc.constantFrom(50_001, 1_000_000),
      videos: fc.constantFrom(6, 20),
      years: fc.constantFrom(5, 10, null),
    }),
  },
  { requiredKeys: [] },
);

/** A license, its state, the changed limits of its beat, and whether it covers the world or only two countries. */
const soldLicense = fc.record({
  licenseType: fc.constantFrom("basic" as const, "premium" as const),
  state: fc.constantFrom("new", "near its end", "over", "refunded", "used") as fc.Arbitrary<string>,
  limits: changedLimits,
  isWorldwide: fc.boolean(),
});

const question = fc.record({
  use: fc.constantFrom("streams", "copies", "videos", "stems", "exclusive", "radio_stations", "song"),
  quantity: fc.constantFrom(1, 3, 5_000, 400_000),
  laterDays: fc.constantFrom(0, 400, 3_000),
  territory: fc.constantFrom(undefined, "DE", "US"),
});

type ValueOf<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never;
type Case = [ValueOf<typeof soldLicense>, ValueOf<typeof question>];
const streams = { use: "streams", quantity: 1, laterDays: 0, territory: undefined } as const;
/** Two fixed cases that have a remedy. */
const soldInTwoCountries: Case = [
  { licenseType: "basic", state: "new", limits: {}, isWorldwide: false },
  { ...streams, territory: "US" },
];
const soldForFewStreams: Case = [
  { licenseType: "basic", state: "new", limits: { basic: { streams: 1_000 } }, isWorldwide: true },
  { ...streams, quantity: 5_000 },
];

it("an answer changes from no to yes after the purchase of its remedy, at the named price", async () => {
  const day = 86_400_000;
  const clause = { name: "territory", text: "Sold in Germany and Austria.", value: ["DE", "AT"] } as const;
  await recordTermsWith(api.database, { baseVersion: builtInTerms.version, version: "two countries", clause });
  const remedies = { all: 0, ofTerritory: 0, ofChangedLimits: 0 };
  await fc.assert(
    fc.asyncProperty(soldLicense, question, async ({ licenseType, state, limits, isWorldwide }, askedUse) => {
      const { use, quantity, laterDays, territory } = askedUse;
      const changed = limits[licenseType];
      const years = changed?.years === undefined ? { basic: 5, premium: 10 }[licenseType] : (changed.years ?? 10);
      const overOffset = -years * 366 * day;
      const nearEndOffset = -(years * 365 - 30) * day;
      const purchasedAt = new Date(
        clock.nowMs() + (state === "over" ? overOffset : state === "near its end" ? nearEndOffset : 0),
      );
      const buyerId = api.userId;
      const old = await insertLicense(api.database, {
        buyerId,
        licenseType,
        purchasedAt,
        changedLimits: changed ?? null,
        ...(isWorldwide ? {} : { termsVersion: "two countries" }),
      });
      await db
        .updateTable("beats")
        .set({ premium_price_cents: 5_990, unlimited_price_cents: 9_990, exclusive_price_cents: 35_990 })
        .set({ license_limits: JSON.stringify(limits) })
        .where("id", "=", old.beatId)
        .execute();
      if (state === "refunded") await refund(old.orderId, 2_990);
      if (state === "used")
        await post(`/licenses/${old.id}/usage`, { use: "streams", quantity: 99_000, period: "2027-01", source: "A" });
      const on = new Date(clock.nowMs() + laterDays * day).toISOString().slice(0, 10);
      const answerOf = async (id: string) =>
        (await post(`/licenses/${id}/may`, { use, quantity, on, territory })).json().data.verdict;
      const { status, remedy, because } = await answerOf(old.id);
      if (remedy === null) return;
      remedies.all++;
      if (because.clause === "territory") remedies.ofTerritory++;
      if (changed !== undefined) remedies.ofChangedLimits++;
      const type = remedy.upgrade ?? remedy.renew;
      // A new order: every remedy of a refunded license, and a higher license after an expired one.
      const isNew = status === "refunded" || (status === "expired" && remedy.renew === null);
      const terms = { expected_amount: remedy.price, currency: remedy.currency };
      const response = isNew
        ? await post("/orders", { beat_id: old.beatId, license_type: type, ...payment, ...terms })
        : await upgrade(old.id, type, terms);
      expect(response.json().data.order).toMatchObject({ status: "completed", amount: remedy.price });
      const newLicense = await issueTestLicense(api.database, response.json().data.order.id);
      expect(await answerOf(newLicense)).toMatchObject({ allowed: "yes" });
    }),
    { seed: 2027, numRuns: 60, examples: [soldInTwoCountries, soldForFewStreams] },
  );
  expect(Math.min(...Object.values(remedies)), JSON.stringify(remedies)).toBeGreaterThan(0);
});

it("an answer names a higher license if the renewal cannot be bought yet", async () => {
  const { id } = await insertLicense(api.database, {
    buyerId: api.userId,
    purchasedAt: new Date("2026-11-22T19:10:00Z"),
  });
  const answer = await post(`/licenses/${id}/may`, { use: "streams", on: "2031-12-24" });
  expect(answer.json().data.verdict).toMatchObject({ allowed: "no", remedy: { upgrade: "premium", renew: null } });
});

describe("terms with the prices of the day of purchase", () => {
  const buyBasic = async () => {
    const { order } = (await post("/orders", { beat_id: beat, license_type: "basic", ...payment })).json().data;
    return issueKeepingPrices(api.database, order.id);
  };
  const setPrices = (premium: number, unlimited: number) =>
    db
      .updateTable("beats")
      .set({ premium_price_cents: premium, unlimited_price_cents: unlimited })
      .where("id", "=", beat)
      .execute();

  it("charge the difference to the price of that day for each step", async () => {
    const old = await buyBasic();
    await setPrices(9_000, 20_000);
    const answer = await post(`/licenses/${old}/may`, { use: "streams", quantity: 250_000 });
    expect(answer.json().data.verdict.remedy).toMatchObject({ upgrade: "premium", price: 30 });
    const first = (await upgrade(old, "premium", { expected_amount: 30, currency: "USD" })).json().data.order;
    expect(first).toMatchObject({ status: "completed", amount: 30 });
    await setPrices(9_500, 30_000);
    const premium = await issueKeepingPrices(api.database, first.id);
    const wrong = await upgrade(premium, "unlimited", { expected_amount: 240.1, currency: "USD" });
    expect(wrong.json().error.details).toContain("costs 40.00 USD today");
    expect((await upgrade(premium, "unlimited")).json().data.order).toMatchObject({ amount: 40 });
    expect((await completedOrders()).reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(9_990);
  });

  it("use today's price if it is lower, and for new orders", async () => {
    const old = await buyBasic();
    await setPrices(4_000, 9_990);
    expect((await upgrade(old, "premium")).json().data.order).toMatchObject({ amount: 10.1 });
    await setPrices(9_000, 9_990);
    const order = (await post("/orders", { beat_id: beat, license_type: "premium", ...payment })).json().data.order;
    expect(order).toMatchObject({ amount: 90 });
  });

  it("give quotes the same price", async () => {
    const old = await buyBasic();
    await setPrices(9_000, 20_000);
    const items = [{ beat_id: beat, license_type: "premium", upgrades_license: old }];
    const { quote } = (await post("/quotes", { items })).json().data;
    expect(quote.items[0]).toMatchObject({ price: 30, credit: 60 });
  });
});

it("other terms sell upgrades at today's price", async () => {
  const old = await buyLicense("basic");
  await db.updateTable("beats").set({ premium_price_cents: 9_000 }).where("id", "=", beat).execute();
  expect((await upgrade(old.id, "premium")).json().data.order).toMatchObject({ amount: 60.1 });
});
