import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { consoleType, publicUrl, testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { testSeller } from "../../../../test/harness/seller.ts";
import { Sandbox } from "../payments/sandbox/sandbox.ts";
import { requestRefund } from "../refunds/request-refund.ts";

const now = Date.UTC(2026, 10, 28, 12);
const clock = new FakeClock(now);
const api = await testApi({ clock, seller: testSeller });
const { query: db, driver } = api.database;
const refunds = {
  db,
  clock,
  publicUrl,
  log: pino({ level: "silent" }),
  payments: [new Sandbox(db, clock)] as const,
  currency: "USD",
  commissionBasisPoints: 0,
  seller: testSeller,
};
const [beat = 0] = await insertBeats(api.database, [{ title: "Midnight", producer: "Nightowl", priceCents: 2_990 }]);
const producer = "nightowl@example.com";
await driver`update users set email = ${producer} where id = (select user_id from beats where id = ${beat})`;

const call = (url: string, key: string | null = api.key, method: "GET" | "HEAD" = "GET") =>
  api.request({ method, url, ...(key !== null && { headers: { authorization: `Bearer ${key}` } }) });
const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, "");

const buy = async (): Promise<number> => {
  const response = await api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${api.key}` },
    payload: { beat_id: beat, payment_method: "pm_card_visa" },
  });
  expect(response.statusCode, response.body).toBe(201);
  return response.json().data.order.id;
};

const order = await buy();
const invoicesOf = async (key: string = api.key) =>
  (await call(`/v1/orders/${order}/invoices`, key)).json().data.invoices;

describe("GET /orders/{order_id}/invoices", () => {
  it("lists the invoice of a sale in the reference and the console form, with a link that needs no key", async () => {
    const [invoice] = await invoicesOf();
    expect(invoice).toEqual({
      number: "INV-2026-000001",
      kind: "invoice",
      issued_at: "2026-11-28T12:00:00Z",
      amount: 29.9,
      currency: "USD",
      filename: "INV-2026-000001.pdf",
      url: expect.stringMatching(/\/downloads\/\d+\/invoices\/\d+\?expires=\d+&signature=[\w-]+$/),
      expires_at: "2026-11-28T12:15:00Z",
    });
    const console = (await api.get(`/api/v1/orders/${order}/invoices`, { accept: consoleType })).json();
    expect(console).toMatchObject({ data: [{ number: invoice.number }] });
    const { statusCode, headers, rawPayload } = await call(pathOf(invoice.url), null);
    expect(statusCode).toBe(200);
    expect(headers["content-disposition"]).toContain("INV-2026-000001.pdf");
    expect(headers["cache-control"]).toBe("private, no-store");
    expect(rawPayload.subarray(0, 5).toString()).toBe("%PDF-");
  });

  it("lists copies for a producer whose key has sales:read, and answers 404 without it and to other accounts", async () => {
    const seller = await api.makeKey({ email: producer, permissions: ["orders:read", "sales:read"] });
    const [copy] = await invoicesOf(seller);
    expect(copy.url).toContain("/copies/");
    expect((await call(pathOf(copy.url), null)).statusCode).toBe(200);
    const withoutSales = await api.makeKey({ email: producer, permissions: ["orders:read"] });
    const stranger = await api.makeKey({ email: "stranger@example.com", permissions: ["orders:read", "sales:read"] });
    for (const key of [withoutSales, stranger])
      expect((await call(`/v1/orders/${order}/invoices`, key)).statusCode).toBe(404);
  });

  it("rejects a changed link, including a copy's link that was changed to the buyer's document", async () => {
    const seller = await api.makeKey({ email: producer, permissions: ["orders:read", "sales:read"] });
    const [{ url }] = await invoicesOf(seller);
    for (const changed of [
      url.replace("/copies/", "/invoices/"),
      url.replace(/copies\/\d+/, "copies/999"),
      url.replace(/expires=\d+/, "expires=9999999999"),
      url.replace(/.signature=.*/, ""),
      url.replace(/copies\/\d+/, "copies/x"),
    ])
      expect((await call(pathOf(changed), null)).statusCode, changed).toBe(404);
  });

  it("answers 410 to a link after 15 minutes, with the call that returns a new link", async () => {
    const [{ url }] = await invoicesOf();
    clock.advance(15 * 60_000);
    const response = await call(pathOf(url), null);
    expect(response.statusCode).toBe(410);
    expect(response.body).toContain(`GET /v1/orders/${order}/invoices`);
  });

  it("lists the credit note of a refund after the invoice", async () => {
    await requestRefund(refunds, order, { amountCents: 1_000, origin: "operator" });
    expect(await invoicesOf()).toMatchObject([
      { kind: "invoice", amount: 29.9 },
      { kind: "credit_note", number: "CN-2026-000001", amount: 10 },
    ]);
  });
});
