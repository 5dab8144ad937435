import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import pino from "pino";
import { beforeEach, describe, expect, it, test } from "vitest";
import { consoleType, testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { unpromised } from "../../../test/harness/documents/promised-responses.ts";
import { createDiscount, type DiscountFields, endDiscount } from "../discounts/discounts.ts";
import { Sandbox } from "../orders/payments/sandbox/sandbox.ts";
import { requestRefund } from "../orders/refunds/request-refund.ts";

const clock = new FakeClock(Date.UTC(2026, 10, 1, 9, 30));
const api = await testApi({ clock });
const { driver, query: db } = api.database;
const dependencies = {
  db,
  clock,
  log: pino({ level: "silent" }),
  currency: "USD",
  publicUrl: "https://localhost:8443",
  payments: [new Sandbox(db, clock)] as const,
  commissionBasisPoints: 0,
  seller: null,
};

let beats: number[] = [];
let producer = 0;
beforeEach(async () => {
  await driver`update discounts set ended_at = now() where ended_at is null`;
  beats = await insertBeats(api.database, [
    { title: "Midnight", producer: "Nightowl", priceCents: 3000 },
    { title: "Sunrise", producer: "Nightowl", priceCents: 2000 },
    { title: "Noon", producer: "Nightowl", priceCents: 1000 },
  ]);
  const [row] = await driver`select user_id::int as id from beats where id = ${beats[0] ?? 0}`;
  producer = row?.id;
});

const none = { percent: null, amount_cents: null, pack_size: null, pack_paid: null };
const open = { code: null, valid_from: null, valid_until: null, max_uses: null, max_uses_per_buyer: null };
const discount = (fields: Partial<DiscountFields> & Pick<DiscountFields, "kind">) =>
  createDiscount(db, {
    userId: producer,
    fields: { ...none, ...open, name: "Spring", beat_ids: null, license_types: null, ...fields },
    now: new Date(clock.nowMs()),
  });
const tenOff = (fields: Partial<DiscountFields> = {}) =>
  discount({ kind: "amount", amount_cents: 1000, code: "spring", ...fields });
const post = (path: string, payload: object, { key = api.key, accept }: { key?: string; accept?: string } = {}) =>
  api.request({
    method: "POST",
    url: `/v1${path}`,
    headers: { authorization: `Bearer ${key}`, ...(accept !== undefined && { accept }) },
    payload,
  });
const basket = (count = 3, license_type = "basic") =>
  beats.slice(0, count).map((beat_id) => ({ beat_id, license_type }));
const quote = async (fields: object) => {
  const response = await post("/quotes", { items: basket(), ...fields });
  expect(response.statusCode, response.body).toBe(200);
  return response.json().data.quote;
};
const checkout = async (fields: object) => {
  const response = await post("/checkouts", { items: basket(), ...fields });
  expect(response.statusCode, response.body).toBe(201);
  return response.json().data.checkout;
};
const get = async (id: number) => (await api.get(`/v1/checkouts/${id}`)).json().data.checkout;
const pay = ({ url }: { url: string }) =>
  api.request({
    method: "POST",
    url: new URL(url).pathname,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "card=pm_card_visa",
  });
const uses = async (id: number) => {
  const [row] = await driver`select uses_count from discounts where id = ${id}`;
  return row?.uses_count;
};
const storedCounts = async () => {
  const [row] = await driver`select (select count(*)::int from checkouts) as checkouts,
    (select count(*)::int from discount_uses) as uses, (select sum(uses_count)::int from discounts) as counted`;
  return row;
};

describe("POST /quotes", () => {
  it("returns amount, items, discounts and every rule with a reason, in both forms, and stores nothing", async () => {
    const { id } = await tenOff();
    const pack = await discount({ kind: "pack", pack_size: 4, pack_paid: 3, name: "Four for three" });
    const before = await storedCounts();
    const expected = {
      amount: 50,
      currency: "USD",
      items: [
        { title: "Midnight", price: 30, discount: 5, amount: 25 },
        { title: "Sunrise", price: 20, discount: 3.33, amount: 16.67 },
        { title: "Noon", price: 10, discount: 1.67, amount: 8.33 },
      ].map((item, index) => ({
        beat_id: beats[index],
        license_type: "basic",
        producer_name: "Nightowl",
        discount_id: id,
        upgrades_license: null,
        credit: 0,
        ...item,
      })),
      discounts: [{ id, name: "Spring", code: "SPRING", amount: 10 }],
      rules: [
        {
          id,
          name: "Spring",
          kind: "amount",
          code: "SPRING",
          applied: true,
          reason: "Takes 10.00 USD off 3 licenses.",
          amount: 10,
        },
        {
          id: pack.id,
          name: "Four for three",
          kind: "pack",
          code: null,
          applied: false,
          reason: "It needs 4 licenses, and the basket has 3 that it is for.",
          amount: 0,
        },
      ],
    };
    const body = { items: basket(), discount_code: "Spring", email: "Ada@Example.com" };
    const reference = await post("/quotes", body);
    expect(reference.json()).toEqual({ status: "success", data: { quote: expected } });
    const console = await post("/quotes", body, { accept: consoleType });
    expect(console.json()).toEqual({ success: true, data: expected });
    for (const answer of [reference, console]) expect(unpromised("createQuote", answer)).toBeNull();
    expect(await storedCounts()).toEqual(before);
  });

  it("answers 400, 401, 403, 404 and 409 to requests that get no quote", async () => {
    expect((await post("/quotes", { items: [] })).statusCode).toBe(400);
    expect((await post("/quotes", { items: [...basket(1), ...basket(1)] })).statusCode).toBe(400);
    expect((await post("/quotes", { items: basket(1) }, { key: "unknown" })).statusCode).toBe(401);
    const reader = await api.makeKey({ permissions: ["beats:read"] });
    expect((await post("/quotes", { items: basket(1) }, { key: reader })).statusCode).toBe(403);
    expect((await post("/quotes", { items: [{ beat_id: 999_999 }] })).statusCode).toBe(404);
    await driver`update beats set unsold_licenses = '{premium}' where id = ${beats[0] ?? 0}`;
    const refusal = await post("/quotes", { items: basket(1, "premium") });
    expect([refusal.statusCode, refusal.json().error.details]).toEqual([409, expect.stringContaining("not for sale")]);
  });

  it("subtracts the price of the account's smaller license, but not of another account's license", async () => {
    await discount({ kind: "ownership", name: "Upgrade" });
    const paidCheckout = await checkout({ items: basket(1), email: "ada@example.com" });
    await pay(paidCheckout);
    const premium = { items: basket(1, "premium") };
    const quoteWithoutDiscount = await quote({ ...premium, email: "eve@example.com" });
    expect(quoteWithoutDiscount.discounts).toEqual([]);
    expect((await quote({ ...premium, email: "ada@example.com" })).amount).toBe(quoteWithoutDiscount.amount - 30);
    expect((await quote(premium)).amount).toBe(quoteWithoutDiscount.amount - 30);
    const stranger = await api.makeKey({ email: "eve@example.com" });
    const foreign = await post("/quotes", { ...premium, email: "ada@example.com" }, { key: stranger });
    expect(foreign.json().data.quote.amount).toBe(quoteWithoutDiscount.amount);
  });
});

describe("POST /checkouts with a discount", () => {
  it("charges the amount of the quote, divided among orders, ledger entries and refunds", async () => {
    const { id } = await tenOff();
    const { amount } = await quote({ discount_code: "SPRING" });
    const openedCheckout = await checkout({ discount_code: "SPRING" });
    expect(openedCheckout).toMatchObject({ amount, discounts: [{ id, name: "Spring", code: "SPRING", amount: 10 }] });
    expect(await uses(id)).toBe(0);
    await pay(openedCheckout);
    const paid = await get(openedCheckout.id);
    expect(paid.status).toBe("completed");
    expect(paid.orders.map((order: { amount: number }) => order.amount)).toEqual([25, 16.67, 8.33]);
    expect(await uses(id)).toBe(1);
    const orderIds = paid.orders.map((order: { id: number }) => order.id);
    const sums = await driver`select sum(amount_cents)::int as sum,
        sum(amount_cents) filter (where account = 'assets:sandbox')::int as held
      from ledger_entries join ledger_transactions on ledger_transactions.id = transaction_id
      where order_id = any(${orderIds})`;
    expect(sums[0]).toEqual({ sum: 0, held: 5000 });
    const refund = await requestRefund(dependencies, orderIds[1], { amountCents: null, origin: "operator" });
    expect(refund.amount_cents).toBe(1667);
  });

  it("does not use a code if an automatic discount takes more off", async () => {
    const code = await tenOff({ max_uses: 1 });
    const automatic = await discount({ kind: "percent", percent: 50, name: "Half" });
    const openedCheckout = await checkout({ discount_code: "spring" });
    expect(openedCheckout).toMatchObject({ amount: 30, discounts: [{ id: automatic.id, code: null }] });
    await pay(openedCheckout);
    expect([await uses(code.id), await uses(automatic.id)]).toEqual([0, 1]);
  });

  it.each<[what: string, fields: Partial<DiscountFields>, sentence: string]>([
    ["unknown", { code: "fall" }, "There is no discount with this code."],
    ["expired", { valid_until: new Date(clock.nowMs() + 5_400_000) }, "It ended on 2026-11-01 11:00 UTC."],
    ["not yet valid", { valid_from: new Date(clock.nowMs() + 86_400_000) }, "It begins on 2026-11-02 09:30 UTC."],
    ["for other licenses", { license_types: ["premium"] }, "It is for premium licenses"],
  ])(
    "answers 409 with a sentence for a code that is %s, and nothing is stored or held",
    async (_what, fields, sentence) => {
      await tenOff(fields);
      clock.advance(3_600_000);
      const before = await storedCounts();
      const refusal = await post("/checkouts", {
        items: [...basket(2), { beat_id: beats[2], license_type: "exclusive" }],
        discount_code: fields.code === undefined ? "spring" : "nobody",
      });
      expect([refusal.statusCode, refusal.json().error.details]).toEqual([409, expect.stringContaining(sentence)]);
      expect(refusal.json().error.details).toContain("Nothing was held or charged");
      expect(await storedCounts()).toEqual(before);
      const [row] = await driver`select count(*)::int as n from beats where exclusive_state <> 'available'`;
      expect(row?.n).toBe(0);
    },
  );

  it("answers 409 for a code that is used up, that its producer ended, or that this buyer has used", async () => {
    const sentence = async (fields: object = {}) =>
      (await post("/checkouts", { items: basket(), discount_code: "SPRING", ...fields })).json().error?.details;
    const { id } = await tenOff({ max_uses: 2, max_uses_per_buyer: 1 });
    await pay(await checkout({ discount_code: "SPRING", email: "ada@example.com" }));
    expect(await sentence({ email: "ADA@example.com" })).toContain("You have used it once");
    await pay(await checkout({ discount_code: "SPRING", email: "bob@example.com" }));
    expect(await sentence({ email: "eve@example.com" })).toContain("It is used up: it was for 2 purchases.");
    await endDiscount(db, { userId: producer, id, now: new Date(clock.nowMs()) });
    expect(await sentence()).toContain("Its producer has ended it.");
  });

  it("keeps the price of an open checkout when the discount ends", async () => {
    const { id } = await tenOff();
    const openedCheckout = await checkout({ discount_code: "SPRING" });
    await endDiscount(db, { userId: producer, id, now: new Date(clock.nowMs()) });
    await pay(openedCheckout);
    expect(await get(openedCheckout.id)).toMatchObject({ status: "completed", amount: 50 });
  });
});

test("one of two payments for the last use of a discount succeeds; the other is refunded with the reason", async () => {
  const { id } = await tenOff({ max_uses: 1 });
  const openCheckouts = [await checkout({ discount_code: "SPRING" }), await checkout({ discount_code: "SPRING" })];
  await Promise.all(openCheckouts.map(pay));
  const checkouts = await Promise.all(openCheckouts.map((each) => get(each.id)));
  expect(checkouts.map(({ status }) => status).toSorted()).toEqual(["cancelled", "completed"]);
  expect(checkouts.find(({ status }) => status === "cancelled")).toMatchObject({
    failure_reason:
      'The discount "Spring" was used up when the payment came through, so nothing was bought. The payment is refunded.',
    orders: [{ status: "failed" }, { status: "failed" }, { status: "failed" }],
  });
  expect(await uses(id)).toBe(1);
  const [money] = await driver`select sum(amount_cents)::int as refunded from refunds where status = 'succeeded'
    and order_id in (select id from orders where status = 'failed')`;
  expect(money?.refunded).toBe(5000);
});

test("a code without a beat of its producer in the basket does not apply, with the reason", async () => {
  await tenOff();
  const [other = 0] = await insertBeats(api.database, [{ title: "Dusk", producer: "Lark", priceCents: 1000 }]);
  const { rules } = await quote({ items: [{ beat_id: other }], discount_code: "SPRING" });
  expect(rules).toMatchObject([
    { applied: false, reason: "It belongs to a producer of whom nothing is in the basket." },
  ]);
});
