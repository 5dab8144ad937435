import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, expect, test } from "vitest";
import { testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { issueKeepingPrices, issueTestLicense } from "../../../test/harness/database/licenses.ts";
import { createDiscount } from "../discounts/discounts.ts";

const clock = new FakeClock(Date.UTC(2027, 0, 15, 12));
const api = await testApi({ clock });
const { driver, query: db } = api.database;

let [one, two] = [0, 0];
beforeEach(async () => {
  [one = 0, two = 0] = await insertBeats(api.database, [
    { title: "Midnight", producer: "Nightowl", priceCents: 2_990 },
    { title: "Sunrise", producer: "Nightowl", priceCents: 1_990 },
  ]);
  await driver`update beats set premium_price_cents = 5990, unlimited_price_cents = 9990, exclusive_price_cents = 35990
    where id = ${one}`;
});

const post = (path: string, payload: object, key = api.key) =>
  api.request({ method: "POST", url: `/v1${path}`, headers: { authorization: `Bearer ${key}` }, payload });
async function buyLicense(
  license_type = "basic",
  issue: typeof issueKeepingPrices = issueTestLicense,
): Promise<{ id: string; orderId: number }> {
  const { order } = (await post("/orders", { beat_id: one, license_type, payment_method: "pm_card_visa" })).json().data;
  return { id: await issue(api.database, order.id), orderId: order.id };
}
const upgradeOf = (upgrades_license: string, license_type = "premium") => ({
  beat_id: one,
  license_type,
  upgrades_license,
});
const open = async (...items: object[]) => {
  const response = await post("/checkouts", { items });
  expect(response.statusCode, response.body).toBe(201);
  return response.json().data.checkout;
};
const pay = ({ url }: { url: string }) =>
  api.request({
    method: "POST",
    url: new URL(url).pathname,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "card=pm_card_visa",
  });
const get = async (id: number) => (await api.get(`/v1/checkouts/${id}`)).json().data.checkout;
const statusOf = async (id: string) =>
  (await api.get(`/licenses/${id}`, { key: null, accept: "application/json" })).json().data.license.status;
const refund = (orderId: number, cents: number) =>
  db.updateTable("orders").set({ refunded_cents: cents, refunded_at: clock.now() }).where("id", "=", orderId).execute();
const receivedCents = async () => {
  const [row] =
    await driver`select sum(amount_cents)::int as cents from ledger_entries where account = 'assets:sandbox'`;
  return row?.cents;
};

test("a checkout upgrades a license for the difference, together with other licenses, and replaces it at the payment", async () => {
  const { id } = await buyLicense();
  const before = await receivedCents();
  const checkout = await open(upgradeOf(id), { beat_id: two });
  expect(checkout).toMatchObject({
    amount: 49.9,
    items: [
      { beat_id: one, license_type: "premium", upgrades_license: id, credit: 29.9, discount: 0, amount: 30 },
      { beat_id: two, upgrades_license: null, credit: 0, amount: 19.9 },
    ],
  });
  expect((await api.request({ method: "GET", url: new URL(checkout.url).pathname })).body).toContain(
    "premium license in place of your present one",
  );
  expect(await statusOf(id)).toBe("valid");
  await pay(checkout);
  const paid = await get(checkout.id);
  expect(paid).toMatchObject({
    status: "completed",
    orders: [{ license_type: "premium", amount: 30 }, { amount: 19.9 }],
  });
  expect(await statusOf(id)).toBe("replaced");
  const [order] = await driver`select upgrades_license from orders where id = ${paid.orders[0].id}`;
  expect(order).toEqual({ upgrades_license: id });
  const events = await driver`select payload::jsonb #>> '{data,replaced_license_id}' as replaced from events
    where type = 'license.upgraded' and payload::jsonb #>> '{data,order_id}' = ${String(paid.orders[0].id)}`;
  expect(events).toEqual([{ replaced: id }]);
  expect(await receivedCents()).toBe(before + 4_990);
});

test("a quote has the difference for an upgrade, to which no discount applies", async () => {
  const { id } = await buyLicense();
  const [{ user_id } = { user_id: 0 }] = await driver<
    { user_id: string }[]
  >`select user_id from beats where id = ${one}`;
  const none = {
    amount_cents: null,
    pack_size: null,
    pack_paid: null,
    code: null,
    valid_from: null,
    valid_until: null,
  };
  const discount = await createDiscount(db, {
    userId: Number(user_id),
    fields: {
      ...none,
      name: "Half",
      kind: "percent",
      percent: 50,
      max_uses: null,
      max_uses_per_buyer: null,
      beat_ids: null,
      license_types: null,
    },
    now: clock.now(),
  });
  const { quote } = (await post("/quotes", { items: [{ beat_id: two }, upgradeOf(id)] })).json().data;
  expect(quote).toMatchObject({
    amount: 39.95,
    items: [
      { beat_id: two, discount: 9.95, credit: 0 },
      { beat_id: one, upgrades_license: id, credit: 29.9, price: 30, discount: 0, amount: 30 },
    ],
  });
  await driver`update discounts set ended_at = now() where id = ${discount.id}`;
});

test("a checkout of an upgrade that is not possible is answered with 404, 400 or 409", async () => {
  const { id, orderId } = await buyLicense("premium");
  const refusal = async (item: object, key = api.key) => {
    const response = await post("/checkouts", { items: [item] }, key);
    return [response.statusCode, response.json().error.details];
  };
  const stranger = await api.makeKey({ email: "stranger@example.com" });
  expect(await refusal(upgradeOf(id, "unlimited"), stranger)).toEqual([
    404,
    expect.stringContaining(`no license ${id}`),
  ]);
  expect(await refusal({ ...upgradeOf(id), beat_id: two })).toEqual([400, expect.stringContaining(`for beat ${one}`)]);
  expect(await refusal(upgradeOf(id, "basic"))).toEqual([
    409,
    expect.stringContaining("Only a higher one upgrades it"),
  ]);
  expect((await refusal({ beat_id: one, upgrades_license: "x" }))[0]).toBe(404);
  await refund(orderId, 5_990);
  expect(await refusal(upgradeOf(id, "unlimited"))).toEqual([409, expect.stringContaining("was refunded in full")]);
});

test("the second payment for an upgrade of one license is refunded", async () => {
  const { id } = await buyLicense();
  const [first, second] = [await open(upgradeOf(id)), await open(upgradeOf(id, "unlimited"), { beat_id: two })];
  await pay(first);
  const before = await receivedCents();
  await pay(second);
  expect(await get(second.id)).toMatchObject({
    status: "cancelled",
    failure_reason: expect.stringContaining('The unlimited license of "Midnight" could no longer be bought'),
    orders: [
      { status: "failed", refunded_amount: 70 },
      { status: "failed", refunded_amount: 19.9 },
    ],
  });
  expect(await receivedCents()).toBe(before);
});

test("an upgrade is refunded if its license was refunded in the meantime, in full or in part", async () => {
  for (const cents of [2_990, 1]) {
    const { id, orderId } = await buyLicense();
    const checkout = await open(upgradeOf(id));
    await refund(orderId, cents);
    await pay(checkout);
    expect(await get(checkout.id)).toMatchObject({ status: "cancelled", orders: [{ refunded_amount: 30 }] });
  }
});

test("one of ten concurrent payments for an upgrade of one license completes, and nine are refunded", async () => {
  const { id } = await buyLicense();
  const checkouts = await Promise.all(Array.from({ length: 10 }, () => open(upgradeOf(id))));
  const before = await receivedCents();
  await Promise.all(checkouts.map(pay));
  // The server refuses some of so many concurrent requests with 503.
  for (const checkout of checkouts) if ((await get(checkout.id)).status === "open") await pay(checkout);
  const states = await Promise.all(checkouts.map(async (checkout) => (await get(checkout.id)).status));
  expect(states.toSorted()).toEqual([...Array(9).fill("cancelled"), "completed"]);
  expect(await receivedCents()).toBe(before + 3_000);
});

test("a checkout renews a license at today's price", async () => {
  const { id } = await buyLicense();
  clock.advance(5 * 365.25 * 86_400_000);
  const checkout = await open(upgradeOf(id, "basic"));
  expect(checkout.items[0]).toMatchObject({ upgrades_license: id, credit: 0, amount: 29.9 });
  await pay(checkout);
  expect(await statusOf(id)).toBe("replaced");
});

test("terms can fix the price of the day of purchase in a checkout, until a partial refund", async () => {
  const checkoutAtOldPrice = async () => {
    const old = await buyLicense("basic", issueKeepingPrices);
    await driver`update beats set premium_price_cents = 9990 where id = ${one}`;
    const checkout = await open(upgradeOf(old.id));
    expect(checkout).toMatchObject({ amount: 30, items: [{ credit: 69.9, amount: 30 }] });
    await driver`update beats set premium_price_cents = 5990 where id = ${one}`;
    return { old, checkout };
  };
  const { checkout } = await checkoutAtOldPrice();
  await pay(checkout);
  expect(await get(checkout.id)).toMatchObject({
    status: "completed",
    orders: [{ license_type: "premium", amount: 30 }],
  });
  const refunded = await checkoutAtOldPrice();
  await refund(refunded.old.orderId, 1);
  await pay(refunded.checkout);
  expect((await get(refunded.checkout.id)).status).not.toBe("completed");
  expect(await statusOf(refunded.old.id)).toBe("valid");
});
