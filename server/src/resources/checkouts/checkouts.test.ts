import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import pino from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { consoleType, publicUrl, testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { unpromised } from "../../../test/harness/documents/promised-responses.ts";
import { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import { Sandbox } from "../orders/payments/sandbox/sandbox.ts";
import { requestRefund } from "../orders/refunds/request-refund.ts";
import { watchCheckouts } from "./checkout-watch.ts";

const clock = new FakeClock(Date.UTC(2026, 10, 1, 9, 30));
const api = await testApi({ clock });
const { driver, query: db } = api.database;
const dependencies = {
  db,
  clock,
  log: pino({ level: "silent" }),
  payments: [new Sandbox(db, clock)] as const,
  currency: "USD",
  commissionBasisPoints: 0,
  seller: null,
  publicUrl,
};
const watch = () => watchCheckouts(dependencies, new CatalogueVersion());

let [one, two] = [0, 0];
beforeEach(async () => {
  [one = 0, two = 0] = await insertBeats(api.database, [
    { title: "Midnight", producer: "Nightowl", priceCents: 2990 },
    { title: "Sunrise", producer: "Lark", priceCents: 1990 },
  ]);
});

type Options = { key?: string; accept?: string; headers?: Record<string, string> };
const post = (payload: object, { key = api.key, accept, headers }: Options = {}) =>
  api.request({
    method: "POST",
    url: "/v1/checkouts",
    headers: { authorization: `Bearer ${key}`, ...(accept !== undefined && { accept }), ...headers },
    payload,
  });
const items = (...licenses: [beat_id: number, license_type: string][]) =>
  licenses.map(([beat_id, license_type]) => ({ beat_id, license_type }));
const twoItems = () => items([one, "basic"], [two, "premium"]);
const open = async (fields: object) => {
  const response = await post(fields);
  expect(response.statusCode).toBe(201);
  return response.json().data.checkout;
};
const get = async (id: number) => (await api.get(`/v1/checkouts/${id}`)).json().data.checkout;
const page = (url: string) => api.request({ method: "GET", url: new URL(url).pathname + new URL(url).search });
const submit = (url: string, form: Record<string, string>) =>
  api.request({
    method: "POST",
    url: new URL(url).pathname,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams(form).toString(),
  });
const payFor = (url: string, card = "pm_card_visa") => submit(url, { card });
const storedRows = async () => {
  const [row] = await driver`select (select count(*)::int from checkouts) as checkouts,
    (select count(*)::int from checkout_items) as items, (select count(*)::int from orders) as orders,
    (select count(*)::int from beats where exclusive_state <> 'available') as held`;
  return row;
};
const balance = async () => {
  const [row] = await driver`select coalesce(sum(amount_cents), 0)::int as sum,
    coalesce(sum(amount_cents) filter (where account = 'assets:sandbox'), 0)::int as held from ledger_entries`;
  return row;
};

describe("POST /checkouts", () => {
  it("opens a checkout with a page and a Location, in both forms, and charges nothing", async () => {
    const expected = {
      id: expect.any(Number),
      url: expect.stringMatching(/^https:\/\/localhost:8443\/pay\/checkouts\/checkout_[\w-]{24}$/),
      status: "open",
      amount: 49.8,
      currency: "USD",
      success_url: "https://shop.example/thanks?id=%7BCHECKOUT_ID%7D",
      cancel_url: null,
      failure_reason: null,
      created_at: "2026-11-01T09:30:00Z",
      expires_at: "2026-11-02T09:30:00Z",
      items: [
        {
          beat_id: one,
          license_type: "basic",
          title: "Midnight",
          producer_name: "Nightowl",
          upgrades_license: null,
          credit: 0,
          discount: 0,
          amount: 29.9,
        },
        {
          beat_id: two,
          license_type: "basic",
          title: "Sunrise",
          producer_name: "Lark",
          upgrades_license: null,
          credit: 0,
          discount: 0,
          amount: 19.9,
        },
      ],
      discounts: [],
      orders: [],
    };
    const body = {
      items: items([one, "basic"], [two, "basic"]),
      email: "Buyer@Example.com",
      success_url: expected.success_url,
    };
    const response = await post(body);
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual({ status: "success", data: { checkout: expected } });
    expect(response.headers.location).toBe(`${publicUrl}/v1/checkouts/${response.json().data.checkout.id}`);
    const console = await post(body, { accept: consoleType });
    expect(console.json()).toEqual({ success: true, data: expected });
    expect((await storedRows())?.orders).toBe(0);
    for (const answer of [response, console]) expect(unpromised("createCheckout", answer)).toBeNull();
  });

  it("answers 400 for an invalid field, with the field in the details; nothing is held", async () => {
    const before = await storedRows();
    for (const [fields, field] of [
      [{ items: [] }, "items"],
      [{ items: items([one, "basic"], [one, "premium"]) }, "items"],
      [{ items: Array.from({ length: 51 }, (_, place) => ({ beat_id: place + 1 })) }, "items"],
      [{ items: twoItems(), email: "nobody" }, "e-mail"],
      [{ items: twoItems(), success_url: "javascript:alert(1)" }, "success_url"],
      [{ items: twoItems(), success_url: "data:text/html,x" }, "success_url"],
      [{ items: twoItems(), cancel_url: "/basket" }, "cancel_url"],
      [{}, "items"],
    ] as const) {
      const response = await post(fields);
      expect(response.statusCode).toBe(400);
      expect(response.json().error.details).toContain(field);
    }
    expect(await storedRows()).toEqual(before);
  });

  it("answers 404 for an unknown beat, 409 for the buyer's own beat or an unknown discount; nothing is held", async () => {
    const before = await storedRows();
    expect((await post({ items: items([one, "exclusive"], [999_999, "basic"]) })).statusCode).toBe(404);
    await driver`update beats set user_id = ${api.userId} where id = ${two}`;
    expect((await post({ items: items([one, "exclusive"], [two, "basic"]) })).json().error.details).toContain(
      "your own",
    );
    const unknown = await post({ items: items([one, "basic"]), discount_code: "SPRING" });
    expect(unknown.statusCode).toBe(409);
    expect(unknown.json().error.details).toContain('"SPRING"');
    expect(await storedRows()).toEqual(before);
  });

  it("answers 401 to an invalid key, 403 without orders:write", async () => {
    expect((await post({ items: twoItems() }, { key: "none" })).statusCode).toBe(401);
    const key = await api.makeKey({ permissions: ["orders:read"] });
    expect((await post({ items: twoItems() }, { key })).statusCode).toBe(403);
  });

  it("opens one checkout for an Idempotency-Key, and answers 409 to another request with the key", async () => {
    const headers = { "idempotency-key": `checkout-${one}` };
    const before = await storedRows();
    const first = await post({ items: twoItems() }, { headers });
    const second = await post({ items: twoItems() }, { headers });
    expect(second.json()).toEqual(first.json());
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect((await storedRows())?.checkouts).toBe((before?.checkouts ?? 0) + 1);
    expect((await post({ items: items([one, "basic"]) }, { headers })).statusCode).toBe(409);
  });

  it("completes a checkout without costs immediately", async () => {
    await driver`update beats set price_cents = 0 where id = ${one}`;
    const checkout = await open({ items: items([one, "basic"]) });
    expect(checkout).toMatchObject({ status: "completed", amount: 0, orders: [{ status: "completed", amount: 0 }] });
    expect((await page(checkout.url)).statusCode).toBe(200);
  });
});

describe("GET /checkouts/{id}", () => {
  it("returns the checkout to its account, and 404 to other accounts", async () => {
    const { id } = await open({ items: twoItems() });
    const response = await api.get(`/v1/checkouts/${id}`);
    expect(response.statusCode).toBe(200);
    expect(unpromised("getCheckout", response)).toBeNull();
    const other = await api.makeKey({ email: "other@example.com" });
    expect((await api.get(`/v1/checkouts/${id}`, { key: other })).statusCode).toBe(404);
    expect((await api.get("/v1/checkouts/latest")).statusCode).toBe(400);
  });
});

describe("a payment", () => {
  it("creates one order for each item, with event and ledger entries, and completes the checkout", async () => {
    await driver`truncate events cascade`;
    const before = await balance();
    const { id, url, amount } = await open({ items: twoItems() });
    const paymentResponse = await payFor(url);
    expect(paymentResponse.statusCode).toBe(303);
    expect(paymentResponse.headers.location).toBe(`${new URL(url).pathname}?paid`);
    const checkout = await get(id);
    expect(checkout).toMatchObject({ status: "completed", failure_reason: null });
    expect(checkout.orders).toMatchObject([
      { status: "completed", beat: { id: one }, license_type: "basic", amount: 29.9, payment_method: "pm_card_visa" },
      { status: "completed", beat: { id: two }, license_type: "premium" },
    ]);
    for (const { id: orderId } of checkout.orders)
      expect((await api.get(`/v1/orders/${orderId}`)).json().data.order.status).toBe("completed");
    expect(await driver`select type from events`).toEqual(Array(2).fill({ type: "beat.purchased" }));
    const after = await balance();
    expect(after?.sum).toBe(0);
    expect((after?.held ?? 0) - (before?.held ?? 0)).toBe(Math.round(amount * 100));
  });

  it("creates the orders once, even if the form is sent concurrently", async () => {
    const { id, url } = await open({ items: twoItems() });
    await Promise.all(Array.from({ length: 6 }, () => payFor(url)));
    await watch();
    expect((await get(id)).orders).toHaveLength(2);
    const rows = await driver`select id from orders where checkout_key = ${new URL(url).pathname.split("/")[3] ?? ""}`;
    expect(rows).toHaveLength(2);
  });

  it("with a declined card charges nothing, and the checkout stays open for another card", async () => {
    const { id, url } = await open({ items: twoItems() });
    await payFor(url, "pm_card_visa_chargeDeclined");
    expect((await page(url)).body).toContain("Your card was declined.");
    expect((await get(id)).status).toBe("open");
    await payFor(url);
    expect((await get(id)).status).toBe("completed");
  });

  it("that needs approval completes with the approval, and can be repeated after a refusal", async () => {
    const { id, url } = await open({ items: twoItems() });
    await payFor(url, "pm_card_authenticationRequired");
    expect((await page(url)).body).toContain("Approve");
    await submit(url, { decision: "decline" });
    expect((await get(id)).status).toBe("open");
    await payFor(url, "pm_card_authenticationRequired");
    await submit(url, { decision: "approve" });
    expect((await get(id)).status).toBe("completed");
  });

  it("that is slow completes without another visit to the page", async () => {
    const { id, url } = await open({ items: twoItems() });
    await payFor(url, "pm_slow");
    expect((await get(id)).status).toBe("open");
    clock.advance(11 * 60_000);
    await watch();
    expect((await get(id)).status).toBe("completed");
  });

  it("has the price that the buyer saw, even if the price has changed", async () => {
    const { id, url } = await open({ items: items([one, "basic"]) });
    await driver`update beats set price_cents = 9900 where id = ${one}`;
    await payFor(url);
    expect((await get(id)).orders).toMatchObject([{ amount: 29.9 }]);
  });

  it("leads to success_url; the page itself has the files", async () => {
    const { id, url } = await open({ items: twoItems(), success_url: "https://shop.example/thanks?id={CHECKOUT_ID}" });
    const { headers } = await payFor(url);
    const back = await page(`${publicUrl}${headers.location}`);
    expect(back.headers.location).toBe(`https://shop.example/thanks?id=${id}`);
    expect((await page(url)).body).toContain("License certificate (PDF)");
  });

  it("opens the certificates of its own orders to everyone with the page's address", async () => {
    const { url, id } = await open({ items: twoItems() });
    await payFor(url);
    const [{ id: orderId }] = (await get(id)).orders;
    const file = await page(`${url}/files/${orderId}/license`);
    expect(file.statusCode).toBe(303);
    expect(new URL(String(file.headers.location)).pathname).toBe(`/downloads/${orderId}/license`);
    const other = await open({ items: twoItems() });
    expect((await page(`${other.url}/files/${orderId}/license`)).statusCode).toBe(404);
  });
});

describe("an exclusive license", () => {
  it("is held while the checkout is open, and released when the checkout expires", async () => {
    const { id, url, expires_at } = await open({ items: items([one, "exclusive"], [two, "basic"]) });
    expect(expires_at).toBe(new Date(clock.nowMs() + 15 * 60_000).toISOString().replace(".000Z", "Z"));
    const refusal = await post({ items: items([one, "basic"]) });
    expect(refusal.statusCode).toBe(409);
    expect(refusal.json().error.details).toContain(`beat ${one}`);
    clock.advance(15 * 60_000);
    await watch();
    expect(await get(id)).toMatchObject({ status: "expired", orders: [] });
    expect((await page(url)).body).toContain("has expired");
    await open({ items: items([one, "basic"]) });
  });

  it("is sold by the payment, and takes the beat out of the catalogue", async () => {
    const { id, url } = await open({ items: items([one, "exclusive"]) });
    await payFor(url);
    expect((await get(id)).status).toBe("completed");
    expect(await driver`select is_listed, exclusive_state from beats where id = ${one}`).toEqual([
      { is_listed: false, exclusive_state: "sold" },
    ]);
  });

  it("counts towards the exclusive licenses that an account may hold concurrently", async () => {
    const beats = await insertBeats(
      api.database,
      Array.from({ length: 6 }, () => ({})),
    );
    await driver`update checkouts set status = 'expired', finished_at = now() where status = 'open'`;
    const key = await api.makeKey({ email: `holder-${one}@example.com` });
    const licenses = beats.map((beat) => [beat, "exclusive"] as [number, string]);
    for (const license of licenses.slice(0, 5))
      expect((await post({ items: items(license) }, { key })).statusCode).toBe(201);
    expect((await post({ items: items(...licenses.slice(5)) }, { key })).json().error.details).toContain(
      "paying for 5",
    );
  });
});

describe("an item that can no longer be bought", () => {
  const sell = (beat: number) =>
    driver`update beats set exclusive_state = 'sold', exclusive_order_id = 1, is_listed = false where id = ${beat}`;

  it("cancels the checkout with the item's name before a charge", async () => {
    const { id, url } = await open({ items: twoItems() });
    await sell(two);
    await watch();
    const checkout = await get(id);
    expect(checkout).toMatchObject({ status: "cancelled", orders: [] });
    expect(checkout.failure_reason).toContain('"Sunrise"');
    expect((await page(url)).body).toContain("Nothing was charged.");
    await payFor(url);
    expect((await get(id)).orders).toEqual([]);
  });

  it("fails and refunds all orders if the payment comes before the cancellation", async () => {
    const before = await balance();
    const { id, url } = await open({ items: twoItems() });
    await sell(two);
    await payFor(url);
    const checkout = await get(id);
    expect(checkout.status).toBe("cancelled");
    expect(checkout.orders).toMatchObject([{ status: "failed", refunded_amount: 29.9 }, { status: "failed" }]);
    for (const order of checkout.orders) expect(order.refunded_amount).toBe(order.amount);
    expect(await balance()).toEqual(before);
  });
});

it("one order of a checkout can be refunded in full without the others", async () => {
  const { id, url } = await open({ items: twoItems() });
  await payFor(url);
  const [first, second] = (await get(id)).orders;
  await requestRefund(dependencies, first.id, { amountCents: null, origin: "operator" });
  const [refunded, kept] = (await get(id)).orders;
  expect(refunded.refunded_amount).toBe(first.amount);
  expect(kept).toEqual(second);
  expect((await balance())?.sum).toBe(0);
});
