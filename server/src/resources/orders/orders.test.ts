import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, describe, expect, it, test } from "vitest";
import { consoleType, testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { unpromised } from "../../../test/harness/documents/promised-responses.ts";
import { sandboxMethods } from "./payments/sandbox/methods.ts";
import { tallyOrders } from "./tally.ts";

const clock = new FakeClock(Date.UTC(2026, 4, 1, 9, 30));
const api = await testApi({ clock });
const { driver, query: db } = api.database;

let beat = 0;
beforeEach(async () => {
  [beat = 0] = await insertBeats(api.database, [{ title: "Midnight", producer: "Nightowl", priceCents: 2990 }]);
});

const post = (payload: unknown, options: { key?: string; accept?: string; headers?: Record<string, string> } = {}) =>
  api.request({
    method: "POST",
    url: "/v1/orders",
    headers: {
      authorization: `Bearer ${options.key ?? api.key}`,
      "content-type": "application/json",
      ...(options.accept !== undefined && { accept: options.accept }),
      ...options.headers,
    },
    payload: typeof payload === "string" ? payload : JSON.stringify(payload),
  });
const buy = (fields: object = {}) => post({ beat_id: beat, payment_method: "pm_card_visa", ...fields });

/** Counts all rows that a purchase can write. */
const countWrittenRows = () =>
  driver`select (select count(*) from orders) as orders, (select count(*) from sandbox_payments) as payments,
    (select count(*) from events) as events, (select count(*) from idempotency_keys) as keys,
    (select count(*) from beats where exclusive_state <> 'available') as held`;

describe("POST /orders", () => {
  it("answers 201 with the completed order and its Location, in both forms", async () => {
    const [seller] = await driver<{ id: number }[]>`select user_id as id from beats where id = ${beat}`;
    const expected = {
      id: expect.any(Number),
      status: "completed",
      beat: { id: beat, title: "Midnight", producer_id: seller?.id, producer_name: "Nightowl" },
      license_type: "basic",
      amount: 29.9,
      currency: "USD",
      payment_method: "pm_card_visa",
      failure_reason: null,
      created_at: "2026-05-01T09:30:00Z",
      completed_at: "2026-05-01T09:30:00Z",
      refunded_amount: 0,
      refunded_at: null,
      client_secret: null,
      next_action: null,
    };
    const reference = await buy();
    expect(reference.statusCode).toBe(201);
    expect(reference.json()).toEqual({ status: "success", data: { order: expected } });
    const { id } = reference.json().data.order;
    expect(reference.headers.location).toBe(`https://localhost:8443/v1/orders/${id}`);
    expect((await api.get(`/v1/orders/${id}`)).json()).toEqual(reference.json());

    const console = await post({ beat_id: beat, payment_method: "pm_card_amex" }, { accept: consoleType });
    expect(console.statusCode).toBe(201);
    expect(console.json()).toEqual({ success: true, data: { ...expected, payment_method: "pm_card_amex" } });
  });

  it("charges the price of the license", async () => {
    const amounts = [];
    for (const license_type of ["basic", "premium", "unlimited", "exclusive"])
      amounts.push((await buy({ license_type })).json().data.order.amount);
    expect(amounts).toEqual([29.9, 59.8, 119.6, 598]);
  });

  it.each([
    ["pm_card_visa_chargeDeclined", "failed", "Your card was declined."],
    ["pm_card_visa_chargeDeclinedInsufficientFunds", "failed", "Your card has insufficient funds."],
    ["pm_card_authenticationRequired", "pending", null],
    ["pm_card_mastercard", "completed", null],
  ])("answers 201 to %s with status %s, in the documented form", async (payment_method, status, failure_reason) => {
    const response = await buy({ payment_method });
    expect(response.statusCode).toBe(201);
    expect(unpromised("createOrder", response)).toBeNull();
    const console = await post({ beat_id: beat, payment_method }, { accept: consoleType });
    expect(unpromised("createOrder", console)).toBeNull();
    expect(response.json().data.order).toMatchObject({
      status,
      failure_reason,
      completed_at: status === "completed" ? "2026-05-01T09:30:00Z" : null,
    });
  });

  it.each(["whatever", "constructor", "pm_card_Visa"])(
    "answers 400 to the unknown method %j, lists the known methods and stores nothing",
    async (payment_method) => {
      const before = await countWrittenRows();
      const response = await buy({ payment_method });
      expect(response.statusCode).toBe(400);
      const { details } = response.json().error;
      expect(details).toMatch(/^payment_method: /);
      for (const method of sandboxMethods.keys()) expect(details).toContain(method);
      expect(await countWrittenRows()).toEqual(before);
    },
  );

  it("completes a free order without a payment", async () => {
    const [free] = await insertBeats(api.database, [{ priceCents: 0 }]);
    const before = await driver`select count(*) from sandbox_payments`;
    const response = await buy({ beat_id: free, payment_method: "pm_card_visa_chargeDeclined" });
    expect(response.json().data.order).toMatchObject({ status: "completed", amount: 0 });
    expect(await driver`select count(*) from sandbox_payments`).toEqual(before);
  });

  describe("with the price and currency that the buyer agreed to", () => {
    it.each([
      { expected_amount: 29.9, currency: "USD" },
      { expected_amount: 29.9 },
      { currency: "USD" },
      { expected_amount: 59.8, license_type: "premium" },
      { expected_amount: 598, currency: "USD", license_type: "exclusive" },
    ])("answers 201 for today's price: %j", async (fields) => {
      expect((await buy(fields)).json().data.order).toMatchObject({ status: "completed", currency: "USD" });
    });

    it.each([
      [{ expected_amount: 22, currency: "USD" }, "22.00 USD"],
      [{ expected_amount: 29.89 }, "29.89 USD"],
      [{ expected_amount: 0 }, "0.00 USD"],
      [{ currency: "EUR" }, "29.90 EUR"],
      [{ expected_amount: 29.9, currency: "EUR" }, "29.90 EUR"],
    ])("answers 409 with the current price, and charges and stores nothing: %j", async (fields, expected) => {
      const before = await countWrittenRows();
      const response = await buy(fields);
      expect(response.statusCode).toBe(409);
      expect(response.json().error).toMatchObject({
        code: "invalid_request",
        details: expect.stringContaining(`costs 29.90 USD today, and the order expects ${expected}`),
      });
      expect(await countWrittenRows()).toEqual(before);
    });

    it("answers 409 for an exclusive license whose price has changed, and the license stays on sale", async () => {
      await driver`update beats set exclusive_price_cents = 999999 where id = ${beat}`;
      const response = await buy({ license_type: "exclusive", expected_amount: 598 });
      expect(response.json().error.details).toContain("costs 9999.99 USD today");
      expect(await driver`select exclusive_state as state from beats where id = ${beat}`).toEqual([
        { state: "available" },
      ]);
      expect((await buy({ license_type: "exclusive", expected_amount: 9999.99 })).statusCode).toBe(201);
    });

    it("returns the first order to a repeated request, even after a change of the price", async () => {
      const fields = { expected_amount: 29.9, currency: "USD" };
      const headers = { "idempotency-key": `agreed-${beat}` };
      const once = () => post({ beat_id: beat, payment_method: "pm_card_visa", ...fields }, { headers });
      const first = await once();
      await driver`update beats set price_cents = 5000 where id = ${beat}`;
      const again = await once();
      expect(again.headers["idempotent-replayed"]).toBe("true");
      expect(again.json()).toEqual(first.json());
      expect(
        (await post({ beat_id: beat, payment_method: "pm_card_visa" }, { headers })).json().error.details,
      ).toContain("came with another request");
    });

    it.each([
      { expected_amount: "29.9" },
      { expected_amount: -1 },
      { expected_amount: 29.901 },
      { expected_amount: null },
      { expected_amount: 1e300 },
      { currency: "usd" },
      { currency: "US" },
      { currency: "" },
      { currency: 840 },
      { expected_currency: "USD" },
    ])("answers 400 to %j", async (fields) => {
      const response = await buy(fields);
      expect(response.statusCode).toBe(400);
      expect(response.json().error.details).toContain(Object.keys(fields)[0]);
    });
  });

  it.each(["unlimited", "exclusive"])(
    "answers 409 for an %s license at price 0, which is shown as not available",
    async (type) => {
      await db
        .updateTable("beats")
        .set({ [`${type}_price_cents`]: 0 })
        .where("id", "=", beat)
        .execute();
      const shown = (await api.get(`/v1/beats/${beat}`)).json().data.beat.licenses;
      expect(shown.find((each: { type: string }) => each.type === type)).toMatchObject({ price: 0, available: false });
      const before = await countWrittenRows();
      const response = await buy({ license_type: type });
      expect([response.statusCode, response.json().error.details]).toEqual([
        409,
        expect.stringContaining("never free"),
      ]);
      expect(await countWrittenRows()).toEqual(before);
    },
  );

  it("allows a second purchase of the same license", async () => {
    const [first, second] = [await buy(), await buy()];
    expect(second.statusCode).toBe(201);
    expect(second.json().data.order.id).not.toBe(first.json().data.order.id);
  });

  it("makes an order that later changes of the beat do not affect", async () => {
    const { id } = (await buy()).json().data.order;
    await db.updateTable("beats").set({ title: "Renamed", price_cents: 1 }).where("id", "=", beat).execute();
    await driver`update users set display_name = 'Somebody else' where display_name = 'Nightowl'`;
    expect((await api.get(`/v1/orders/${id}`)).json().data.order).toMatchObject({
      beat: { title: "Midnight", producer_name: "Nightowl" },
      amount: 29.9,
    });
  });

  it("writes the documented beat.purchased event of a completed order, only for seller and buyer", async () => {
    await driver`delete from events`;
    await buy({ payment_method: "pm_card_visa_chargeDeclined" });
    await buy({ payment_method: "pm_card_authenticationRequired" });
    const { beat: beatInOrder } = (await buy({ license_type: "premium" })).json().data.order;
    const events = await db.selectFrom("events").selectAll().execute();
    expect(events).toHaveLength(1);
    const [event] = events;
    expect(JSON.parse(event?.payload ?? "")).toEqual({
      id: event?.id,
      created: clock.nowMs() / 1000,
      type: "beat.purchased",
      data: {
        beat_id: beat,
        title: "Midnight",
        producer_id: beatInOrder.producer_id,
        producer_name: "Nightowl",
        license_type: "premium",
        amount: 59.8,
        currency: "USD",
        purchaser_id: api.userId,
      },
    });
    expect(event?.audience).toEqual([beatInOrder.producer_id, api.userId]);
  });
});

describe("a rejected purchase charges, holds and stores nothing", () => {
  const cases: [string, number, unknown, string][] = [
    ["no payment_method", 400, { beat_id: 1 }, "payment_method"],
    ["no beat_id", 400, { payment_method: "pm_card_visa" }, "beat_id"],
    ["neither field", 400, {}, "beat_id and payment_method"],
    ["an empty payment_method", 400, { beat_id: 1, payment_method: " " }, "payment_method"],
    ["a number as payment_method", 400, { beat_id: 1, payment_method: 4242 }, "payment_method"],
    ["null as payment_method", 400, { beat_id: 1, payment_method: null }, "payment_method"],
    ["a payment_method of 256 characters", 400, { beat_id: 1, payment_method: "p".repeat(256) }, "255"],
    ["a card number", 400, { beat_id: 1, payment_method: "4242 4242 4242 4242" }, "has a card number"],
    ["a control character", 400, { beat_id: 1, payment_method: "pm_\u0000" }, "control characters"],
    ["a lone surrogate", 400, '{"beat_id":1,"payment_method":"\\ud800"}', "payment_method"],
    ["an id as text", 400, { beat_id: "1", payment_method: "pm_card_visa" }, "beat_id field must be an integer"],
    ["a fraction of an id", 400, { beat_id: 1.5, payment_method: "pm_card_visa" }, "beat_id field must be an integer"],
    ["an infinite id", 400, '{"beat_id":1e999,"payment_method":"pm_card_visa"}', "beat_id field must be an integer"],
    ["true as id", 400, { beat_id: true, payment_method: "pm_card_visa" }, "beat_id field must be an integer"],
    ["a list of ids", 400, { beat_id: [1], payment_method: "pm_card_visa" }, "beat_id field must be an integer"],
    ["a negative id", 404, { beat_id: -1, payment_method: "pm_card_visa" }, "does not exist"],
    ["a huge id", 404, '{"beat_id":123456789012345678901234567890,"payment_method":"pm_card_visa"}', "does not exist"],
    [
      "an id beyond exact numbers",
      404,
      '{"beat_id":9007199254740993,"payment_method":"pm_card_visa"}',
      "does not exist",
    ],
    ["an unknown beat", 404, { beat_id: 999_999, payment_method: "pm_card_visa" }, "999999 does not exist"],
    [
      "an unknown license",
      400,
      { beat_id: 1, payment_method: "pm_card_amex", license_type: "lease" },
      "basic, premium",
    ],
    ["an unknown field", 400, { beat_id: 1, payment_methd: "x" }, "Did you mean payment_method?"],
    [
      "an amount set by the buyer",
      400,
      { beat_id: 1, payment_method: "pm_card_amex", amount: 0.01 },
      'Unknown field "amount"',
    ],
    ["__proto__", 400, '{"beat_id":1,"payment_method":"x","__proto__":{"license_type":"basic"}}', "__proto__"],
    [
      "a repeated field",
      400,
      '{"beat_id":1,"payment_method":"x","beat_id":2}',
      "beat_id field was given more than once",
    ],
    [
      "a repeated field whose name is escaped",
      400,
      '{"beat_id":1,"payment_method":"x","beat\\u005fid":2}',
      "more than once",
    ],
    ["broken JSON", 400, '{"beat_id":1,', "not valid JSON"],
    ["deep JSON", 400, `{"beat_id":${"[".repeat(40_000)}${"]".repeat(40_000)}}`, "beat_id field must be an integer"],
    ["deep JSON that is not closed", 400, "[".repeat(90_000), "not valid JSON"],
    ["a list", 400, "[]", "must be a JSON object"],
    ["an empty body", 400, "", "body is empty"],
    ["more than 100 kB", 413, { beat_id: 1, payment_method: "pm_card_amex".repeat(100_000) }, "100 kB"],
  ];
  test.each(cases)("%s is answered with %i", async (_, status, payload, details) => {
    const before = await countWrittenRows();
    for (const accept of ["application/json", consoleType]) {
      const response = await post(payload, { accept, headers: { "idempotency-key": "refused" } });
      expect(response.statusCode).toBe(status);
      expect(response.headers["content-type"]).toBe("application/json");
      expect(response.json()).toMatchObject({ status: "error", error: { details: expect.stringContaining(details) } });
    }
    expect(await countWrittenRows()).toEqual(before);
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json5",
    "multipart/form-data; boundary=x",
  ])("Content-Type %s is answered with 415", async (type) => {
    const before = await countWrittenRows();
    const response = await post(
      { beat_id: beat, payment_method: "pm_card_amex" },
      { headers: { "content-type": type } },
    );
    expect(response.statusCode).toBe(415);
    expect(response.json().error.details).toContain("application/json");
    expect(await countWrittenRows()).toEqual(before);
  });

  test("a body that is not UTF-8 is answered with 400", async () => {
    const before = await countWrittenRows();
    const response = await api.request({
      method: "POST",
      url: "/v1/orders",
      headers: { authorization: `Bearer ${api.key}`, "content-type": "application/json" },
      payload: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toContain("UTF-8");
    expect(await countWrittenRows()).toEqual(before);
  });

  test.each(["basic", "exclusive"])(
    "the %s license of the buyer's own beat is answered with 409",
    async (license_type) => {
      await driver`update beats set user_id = ${api.userId} where id = ${beat}`;
      const before = await countWrittenRows();
      const response = await buy({ license_type });
      expect(response.statusCode).toBe(409);
      expect(response.json().error.details).toContain("your own");
      expect(await countWrittenRows()).toEqual(before);
    },
  );

  test("a key without orders:write is answered with 403", async () => {
    const key = await api.makeKey({ permissions: ["orders:read"] });
    const before = await countWrittenRows();
    const response = await post({ beat_id: beat, payment_method: "pm_card_amex" }, { key });
    expect(response.statusCode).toBe(403);
    expect(await countWrittenRows()).toEqual(before);
  });

  test("an unknown path is answered with 404 before the body is checked", async () => {
    const before = await countWrittenRows();
    const response = await api.request({
      method: "POST",
      url: "/v1/purchases",
      headers: { authorization: `Bearer ${api.key}`, "content-type": "text/plain" },
      payload: "buy",
    });
    expect(response.statusCode).toBe(404);
    expect(await countWrittenRows()).toEqual(before);
  });
});

describe("access", () => {
  it("shows an order only to its buyer, by every path and filter", async () => {
    const { id } = (await buy()).json().data.order;
    const stranger = await api.makeKey({ email: "stranger@example.com" });
    const unknown = await api.get("/v1/orders/987654321", { key: stranger });
    for (const prefix of ["/v1", "/api/v1"])
      for (const accept of ["application/json", consoleType]) {
        const response = await api.get(`${prefix}/orders/${id}`, { key: stranger, accept });
        expect(response.statusCode).toBe(404);
        expect(response.json().error.details.replace(String(id), "987654321")).toBe(unknown.json().error.details);
        for (const query of ["", "?status=completed", "?limit=100", "?page=1&limit=1"]) {
          const list = (await api.get(`${prefix}/orders${query}`, { key: stranger, accept })).json();
          expect(list.data.orders ?? list.data).toEqual([]);
          expect(list.meta?.total ?? list.data.pagination.total).toBe(0);
        }
      }
    for (const query of [`?user_id=${api.userId}`, `?user=${api.userId}`])
      expect((await api.get(`/v1/orders${query}`, { key: stranger })).statusCode).toBe(400);
  });

  it("answers 400 to the after token of another account", async () => {
    await buy();
    await buy();
    const { next_page_url } = (await api.get("/v1/orders?limit=1")).json().data.pagination;
    const { pathname, search } = new URL(next_page_url);
    expect((await api.get(pathname + search)).statusCode).toBe(200);
    const stranger = await api.makeKey({ email: "stranger@example.com" });
    expect((await api.get(pathname + search, { key: stranger })).statusCode).toBe(400);
  });
});

describe("the database", () => {
  test.each([
    ["completed", "status = 'failed', failure_reason = 'x', completed_at = null"],
    ["completed", "status = 'pending', completed_at = null"],
    ["completed", "completed_at = now()"],
    ["completed", "amount_cents = 1"],
    ["failed", "status = 'completed', failure_reason = null, completed_at = now()"],
    ["failed", "status = 'pending', failure_reason = null"],
    ["pending", "tallied = true"],
    ["pending", "status = 'completed'"],
    ["pending", "user_id = user_id + 1"],
  ])("rejects a change of a %s order to %s", async (status, change) => {
    const method = {
      completed: "pm_card_visa",
      failed: "pm_card_visa_chargeDeclined",
      pending: "pm_card_authenticationRequired",
    };
    const { id } = (await buy({ payment_method: method[status as keyof typeof method] })).json().data.order;
    await expect(driver.unsafe(`update orders set ${change} where id = ${id}`)).rejects.toMatchObject({
      code: "23514",
    });
  });
});

describe("download_count", () => {
  it("increases by one per completed order, even if several instances tally at once", async () => {
    const [other = 0] = await insertBeats(api.database, [{}]);
    for (let count = 0; count < 12; count++) await buy({ beat_id: count % 3 === 0 ? other : beat });
    await buy({ payment_method: "pm_card_visa_chargeDeclined" });
    await buy({ payment_method: "pm_card_authenticationRequired" });
    await Promise.all([tallyOrders(db), tallyOrders(db), tallyOrders(db)]);
    await tallyOrders(db);
    expect(await driver`select id, download_count from beats where id in (${beat}, ${other}) order by id`).toEqual([
      { id: beat, download_count: 8 },
      { id: other, download_count: 4 },
    ]);
  });
});
