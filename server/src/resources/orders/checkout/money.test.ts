import { money } from "@beatmarket/http/formats.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import { licensePriceColumns } from "../../beats/licensing/licenses.ts";

const largestPriceCents = 2_147_483_647;
const priceCents = fc.oneof(
  fc.integer({ min: 0, max: largestPriceCents }),
  // Known floating-point errors: 0.07 * 100, 1.15 * 100, 4.35 * 100, 1.005 * 1000, …
  fc.constantFrom(7, 29, 57, 58, 113, 114, 115, 435, 1001, 1005, 1999, 2990, 8190, 110_0, largestPriceCents),
);

/** Returns the cents of a number in JSON text. Computes them from the digits, without floating point. */
function centsOf(text: string): bigint {
  const [, units = "", fraction = ""] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  expect(units, text).not.toBe("");
  return BigInt(units) * 100n + BigInt(fraction.padEnd(2, "0"));
}

test("every price is written with at most two decimals and parses to the exact cents", () => {
  fc.assert(
    fc.property(priceCents, (cents) => {
      expect(centsOf(JSON.stringify(money(cents)))).toBe(BigInt(cents));
    }),
    { numRuns: 20_000 },
  );
});

const api = await testApi();
const { driver } = api.database;

test("the license price equals the charged amount, the stored amount, and the amounts in responses and events", async () => {
  await fc.assert(
    fc.asyncProperty(
      priceCents,
      fc.constantFrom("basic", "premium", "unlimited", "exclusive"),
      async (cents, license) => {
        // The other licenses are never free.
        fc.pre(cents > 0 || license === "basic" || license === "premium");
        const [beat = 0] = await insertBeats(api.database, [{ priceCents: 1 }]);
        const column = licensePriceColumns[license];
        await driver`update beats set ${driver(column)} = ${cents} where id = ${beat}`;
        const response = await api.request({
          method: "POST",
          url: "/v1/orders",
          headers: { authorization: `Bearer ${api.key}` },
          payload: { beat_id: beat, payment_method: "pm_card_visa", license_type: license },
        });
        expect(response.statusCode).toBe(201);
        const amountIn = (body: string) => centsOf(/"amount":([^,]*),/.exec(body)?.[1] ?? "");
        expect(amountIn(response.body)).toBe(BigInt(cents));
        const { id } = response.json().data.order;
        const [stored] = await driver`
        select amount_cents, (select amount_cents from sandbox_payments where order_id = orders.id) as charged_cents
        from orders where id = ${id}`;
        expect(stored).toEqual({ amount_cents: cents, charged_cents: cents === 0 ? null : cents });
        const [event] = await driver<{ payload: string }[]>`
        select payload from events
        where type = 'beat.purchased' and (payload::jsonb -> 'data' ->> 'beat_id')::bigint = ${beat}`;
        expect(amountIn(event?.payload ?? "")).toBe(BigInt(cents));
        const { body } = await api.get(`/v1/beats/${beat}`);
        expect(body).toContain(`{"type":"${license}","price":${JSON.stringify(money(cents))},`);
      },
    ),
    { numRuns: 60 },
  );
});
