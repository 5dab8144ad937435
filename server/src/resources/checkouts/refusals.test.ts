import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { consoleType, testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { createDiscount, endDiscount } from "../discounts/discounts.ts";

// A purchase that is refused has the same sentence in both wire forms, and leaves no rows.

const clock = new FakeClock(Date.UTC(2026, 10, 1, 9, 30));
const api = await testApi({ clock });
const { driver, query: db } = api.database;

let [sold, available, ownBeat] = [0, 0, 0];
let producer = 0;
beforeEach(async () => {
  [sold = 0, available = 0, ownBeat = 0] = await insertBeats(api.database, [
    { title: "Sold", producer: "Nightowl", priceCents: 2990 },
    { title: "Available", producer: "Lark", priceCents: 1990 },
    { title: "Own", producer: "Wren", priceCents: 1990 },
  ]);
  await driver`update beats set exclusive_state = 'sold', exclusive_order_id = 1, is_listed = false where id = ${sold}`;
  await driver`update beats set user_id = ${api.userId} where id = ${ownBeat}`;
  await driver`update beats set unsold_licenses = '{premium}' where id = ${available}`;
  producer = Number((await driver`select user_id from beats where id = ${available}`)[0]?.user_id);
  await driver`update discounts set ended_at = now() where ended_at is null`;
});

const post = (payload: object, accept = "application/json") =>
  api.request({
    method: "POST",
    url: "/v1/checkouts",
    headers: { authorization: `Bearer ${api.key}`, accept },
    payload,
  });
/** The numbers of rows that a purchase creates. */
const storedRows = async () => ({
  ...(
    await driver`select (select count(*)::int from checkouts) as checkouts, (select count(*)::int from orders) as orders,
      (select count(*)::int from beats where exclusive_state = 'held') as held,
      (select count(*)::int from sandbox_checkouts) as payments, (select count(*)::int from ledger_entries) as entries,
      (select count(*)::int from outgoing_mails) as mails, (select count(*)::int from events) as events`
  )[0],
});
const withAvailable = (item: object) => ({ items: [{ beat_id: available }, item] });

const discounts = {
  past: { valid_until: new Date(Date.UTC(2026, 9, 1)) },
  later: { valid_from: new Date(Date.UTC(2026, 11, 1)) },
  ended: {},
};
const createDiscountOf = async (code: keyof typeof discounts) => {
  const none = { percent: null, pack_size: null, pack_paid: null, beat_ids: null, license_types: null };
  const open = { valid_from: null, valid_until: null, max_uses: null, max_uses_per_buyer: null };
  const fields = {
    ...none,
    ...open,
    ...discounts[code],
    kind: "amount" as const,
    amount_cents: 100,
    name: "Spring",
    code,
  };
  const { id } = await createDiscount(db, { userId: producer, fields, now: new Date(Date.UTC(2026, 8, 1)) });
  if (code === "ended") await endDiscount(db, { userId: producer, id, now: new Date(clock.nowMs()) });
};

describe("POST /checkouts stores nothing and is refused for", () => {
  it.each<[what: string, () => object | Promise<object>, status: number, sentence: RegExp]>([
    ["a sold beat", () => withAvailable({ beat_id: sold }), 409, /no longer on sale: its exclusive license is sold/],
    [
      "an exclusive license that another buyer holds",
      async () => {
        await post({ items: [{ beat_id: available, license_type: "exclusive" }] });
        return { items: [{ beat_id: available, license_type: "exclusive" }] };
      },
      409,
      /is being bought/,
    ],
    [
      "a license that its producer does not sell",
      () => ({ items: [{ beat_id: available, license_type: "premium" }] }),
      409,
      /premium license of beat .* its producer sells basic/,
    ],
    ["the buyer's own beat", () => withAvailable({ beat_id: ownBeat }), 409, /your own/],
    ["another currency", () => ({ items: [{ beat_id: available }], currency: "EUR" }), 400, /currency/],
    ["an invalid e-mail address", () => ({ items: [{ beat_id: available }], email: "ada@" }), 400, /e-mail/],
    [
      "an expired discount code",
      async () => {
        await createDiscountOf("past");
        return { items: [{ beat_id: available }], discount_code: "PAST" };
      },
      409,
      /"PAST" cannot be used. It ended on 2026-10-01/,
    ],
    [
      "a discount code that is not yet valid",
      async () => {
        await createDiscountOf("later");
        return { items: [{ beat_id: available }], discount_code: "LATER" };
      },
      409,
      /"LATER" cannot be used. It begins on 2026-12-01/,
    ],
    [
      "a discount code that its producer ended",
      async () => {
        await createDiscountOf("ended");
        return { items: [{ beat_id: available }], discount_code: "ENDED" };
      },
      409,
      /"ENDED".*producer has ended it/,
    ],
  ])("%s", async (_, makePayload, status, sentence) => {
    const payload = await makePayload();
    const before = await storedRows();
    const reference = await post(payload);
    expect([reference.statusCode, reference.json().error.details]).toEqual([status, expect.stringMatching(sentence)]);
    const console = await post(payload, consoleType);
    expect([console.statusCode, console.json().error.details]).toEqual([status, expect.stringMatching(sentence)]);
    expect(await storedRows()).toEqual(before);
  });
});

describe("the page of a checkout", () => {
  const open = async () => (await post({ items: [{ beat_id: available }] })).json().data.checkout.url as string;
  const page = (url: string) => api.request({ method: "GET", url: new URL(url).pathname });
  const pay = (url: string) =>
    api.request({
      method: "POST",
      url: new URL(url).pathname,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: "card=pm_card_visa",
    });

  it("accepts no payment after the checkout has expired, and says so", async () => {
    const url = await open();
    clock.advance(86_400_000 + 1);
    await page(url);
    const before = await storedRows();
    expect((await pay(url)).statusCode).toBe(303);
    expect((await page(url)).body).toMatch(/expired/i);
    expect(await storedRows()).toEqual(before);
  });

  it("accepts no second payment", async () => {
    const url = await open();
    await pay(url);
    const before = await storedRows();
    expect((await pay(url)).statusCode).toBe(303);
    expect((await page(url)).body).toContain("are yours");
    expect(await storedRows()).toEqual(before);
  });
});
