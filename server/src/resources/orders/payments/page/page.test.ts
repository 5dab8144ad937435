import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { describe, expect, it } from "vitest";
import { testApi } from "../../../../../test/harness/api.ts";
import { insertBeats } from "../../../../../test/harness/database/catalogue.ts";
import { stripeApi } from "../../../../../test/harness/stripe.ts";

const clock = new FakeClock();
const api = await testApi({ clock });
const { driver } = api.database;
const [beat = 0] = await insertBeats(api.database, [
  { title: '<script>alert("1")</script> & Co', producer: "Night's <b>owl</b>", priceCents: 2990 },
]);
/** Places an order in the sandbox. Returns the path of its payment page. */
async function orderAndGetPath(payment_method = "pm_card_authenticationRequired"): Promise<string> {
  const response = await api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${api.key}` },
    payload: { beat_id: beat, payment_method },
  });
  const [row] = await driver<{ payment_key: string }[]>`
    select payment_key from orders where id = ${response.json().data.order.id}`;
  return `/pay/${row?.payment_key}`;
}
const get = (url: string) => api.request({ method: "GET", url });
const send = (url: string, payload: string) =>
  api.request({ method: "POST", url, headers: { "content-type": "application/x-www-form-urlencoded" }, payload });
const statusOf = async (path: string) =>
  (await driver`select status, failure_reason from orders where payment_key = ${path.slice("/pay/".length)}`)[0];

describe("/pay/{payment_key} of the sandbox", () => {
  it("is the url of next_action, and shows beat and price as plain text, but not the buyer", async () => {
    const response = await api.request({
      method: "POST",
      url: "/v1/orders",
      headers: { authorization: `Bearer ${api.key}` },
      payload: { beat_id: beat, payment_method: "pm_card_authenticationRequired" },
    });
    const { next_action } = response.json().data.order;
    expect(next_action.type).toBe("redirect");
    const { statusCode, headers, body } = await get(new URL(next_action.url).pathname);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "x-frame-options": "DENY",
    });
    expect(headers["content-security-policy"]).not.toContain("unsafe");
    expect(body).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; Co");
    expect(body).not.toMatch(/<script|<b>owl/);
    expect(body).toContain("29.90 USD");
    expect(body).not.toContain("tester-1@example.com");
  });

  it.each([
    ["approve", "completed", null, "Paid."],
    ["decline", "failed", "You declined the payment.", "You declined the payment."],
  ])("settles the order by the buyer's first decision, %s", async (decision, status, failure_reason, shown) => {
    const path = await orderAndGetPath();
    const response = await send(path, `decision=${decision}`);
    expect(response.statusCode).toBe(303);
    expect(response.headers.location).toBe(path);
    await send(path, `decision=${decision === "approve" ? "decline" : "approve"}`);
    expect(await statusOf(path)).toEqual({ status, failure_reason });
    expect((await get(path)).body).toContain(shown);
  });

  it.each(["", "decision=steal", "x=1", "decision"])("ignores the decision %j", async (body) => {
    const path = await orderAndGetPath();
    expect((await send(path, body)).statusCode).toBe(303);
    expect((await statusOf(path))?.status).toBe("pending");
  });

  it("shows a failed payment with the reason", async () => {
    expect((await get(await orderAndGetPath("pm_card_visa_chargeDeclined"))).body).toContain("Your card was declined.");
  });

  it.each(["/pay/order_1_AAAAAAAAAAAA", "/pay/x", "/pay/%00", `/pay/order_1_${"A".repeat(5_000)}`])(
    "answers 404 with a page to %.30s",
    async (path) => {
      for (const { statusCode, headers, body } of [await get(path), await send(path, "decision=approve")]) {
        expect(statusCode).toBe(404);
        expect(headers["content-type"]).toContain("text/html");
        expect(body).toContain("Unknown payment");
      }
    },
  );

  it("rejects a large body", async () => {
    expect((await send(await orderAndGetPath(), "x".repeat(1_000))).statusCode).toBe(413);
  });
});

describe("/pay/{payment_key} with Stripe", async () => {
  const shop = await stripeApi();
  const open = (path: string) => shop.api.request({ method: "GET", url: path });
  const pathOf = async (id: number) => `/pay/${(await shop.paidOrderOf(id)).payment_key}`;

  it("links to the bank, and shows the outcome when the bank redirects the buyer back", async () => {
    const { id } = await shop.buy("pm_card_threeDSecure2Required");
    const path = await pathOf(id);
    const bank = /href="([^"]*3d_secure[^"]*)"/.exec((await open(path)).body)?.[1] ?? "";
    const back = await fetch(bank, { redirect: "manual" });
    const returned = new URL(back.headers.get("location") ?? "");
    expect(returned.pathname).toBe(path);
    expect((await open(returned.pathname + returned.search)).body).toContain("Paid.");
    expect((await shop.orderOf(id)).status).toBe("completed");
  });

  it("cannot be approved by a form", async () => {
    const { id } = await shop.buy("pm_card_threeDSecure2Required");
    const payload = "decision=approve";
    await shop.api.request({ method: "POST", url: await pathOf(id), payload });
    expect((await shop.orderOf(id)).status).toBe("pending");
  });

  it("shows that the payment is being processed while Stripe is unreachable", async () => {
    const { id } = await shop.buy("pm_card_threeDSecure2Required");
    const path = await pathOf(id);
    shop.stripe.trouble = () => "unreachable";
    const { statusCode, body } = await open(path);
    expect(statusCode).toBe(200);
    expect(body).toContain("being processed");
  });

  it("limits the calls to Stripe", async () => {
    const { id } = await shop.buy("pm_usBankAccount_processing");
    const path = await pathOf(id);
    shop.stripe.calls.length = 0;
    for (let count = 0; count < 20; count++) expect((await open(path)).statusCode).toBe(200);
    expect(shop.stripe.calls).toHaveLength(5);
  });
});
