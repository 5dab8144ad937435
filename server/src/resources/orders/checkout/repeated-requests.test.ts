import { beforeEach, describe, expect, it } from "vitest";
import { consoleType, testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";

const api = await testApi();
const { driver } = api.database;

let beat = 0;
beforeEach(async () => {
  [beat = 0] = await insertBeats(api.database, [{}]);
  await driver`truncate orders, sandbox_payments, idempotency_keys cascade`;
});

const buy = (
  idempotencyKey: string,
  fields: object = {},
  { key = api.key, prefix = "/v1", accept = "application/json" } = {},
) =>
  api.request({
    method: "POST",
    url: `${prefix}/orders`,
    headers: { authorization: `Bearer ${key}`, accept, "idempotency-key": idempotencyKey },
    payload: { beat_id: beat, payment_method: "pm_card_visa", ...fields },
  });
const count = async (table: "orders" | "sandbox_payments") => (await driver`select from ${driver(table)}`).length;

describe("POST /orders with an Idempotency-Key", () => {
  it.each(["basic", "exclusive"])(
    "50 concurrent requests make one order, one charge and one response (%s)",
    async (license_type) => {
      const responses = await Promise.all(Array.from({ length: 50 }, () => buy("once", { license_type })));
      expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
      expect(new Set(responses.map(({ body }) => body)).size).toBe(1);
      expect(responses.filter(({ headers }) => headers["idempotent-replayed"] === "true")).toHaveLength(49);
      expect(await count("orders")).toBe(1);
      expect(await count("sandbox_payments")).toBe(1);
    },
  );

  it("replays the first response, in both forms and under both prefixes", async () => {
    const first = await buy("again", { payment_method: "pm_card_authenticationRequired" });
    await driver`update orders set status = 'failed', failure_reason = 'later'`;
    for (const prefix of ["/v1", "/api/v1"]) {
      const reference = await buy("again", { payment_method: "pm_card_authenticationRequired" }, { prefix });
      expect(reference.statusCode).toBe(201);
      expect(reference.body).toBe(first.body);
      expect(reference.headers).toMatchObject({
        "idempotent-replayed": "true",
        location: `https://localhost:8443${prefix}/orders/${first.json().data.order.id}`,
      });
      const console = await buy(
        "again",
        { payment_method: "pm_card_authenticationRequired" },
        { prefix, accept: consoleType },
      );
      expect(console.headers["content-type"]).toContain(consoleType);
      expect(console.json()).toEqual({ success: true, data: first.json().data.order });
    }
    expect(first.headers).not.toHaveProperty("idempotent-replayed");
  });

  it("treats a body with the default license and other white space as the same request", async () => {
    const first = await buy("same");
    const reformatted = await api.request({
      method: "POST",
      url: "/v1/orders",
      headers: { authorization: `Bearer ${api.key}`, "content-type": "application/json", "idempotency-key": "same" },
      payload: `{ "payment_method": "pm_card_visa",\n "license_type": "basic", "beat_id": ${beat}.0 }`,
    });
    expect(reformatted.body).toBe(first.body);
  });

  it("answers 409 to another body, and buys nothing", async () => {
    await buy("other");
    const conflict = await buy("other", { license_type: "premium" });
    expect(conflict.statusCode).toBe(409);
    expect(conflict.json().error).toMatchObject({
      code: "invalid_request",
      details: expect.stringContaining("new key"),
    });
    expect(await count("orders")).toBe(1);
  });

  it("replays a declined payment instead of charging again", async () => {
    const declined = { payment_method: "pm_card_visa_chargeDeclined" };
    const [first, second] = [await buy("declined", declined), await buy("declined", declined)];
    expect(first.json().data.order.status).toBe("failed");
    expect(second.body).toBe(first.body);
    expect(await count("sandbox_payments")).toBe(1);
  });

  it("does not replay an error: an unlisted beat can be bought after it is listed again", async () => {
    await driver`update beats set is_listed = false where id = ${beat}`;
    expect((await buy("patient")).statusCode).toBe(404);
    await driver`update beats set is_listed = true where id = ${beat}`;
    expect((await buy("patient")).statusCode).toBe(201);
  });

  it("separates the keys of different accounts", async () => {
    const other = await api.makeKey({ email: "other@example.com" });
    const [ownResponse, otherResponse] = [await buy("shared"), await buy("shared", {}, { key: other })];
    expect(otherResponse.statusCode).toBe(201);
    expect(otherResponse.json().data.order.id).not.toBe(ownResponse.json().data.order.id);
  });

  it("answers 400 to an invalid key", async () => {
    for (const key of ["two words", "x".repeat(256)]) {
      const response = await buy(key);
      expect(response.statusCode).toBe(400);
      expect(response.json().error.details).toContain("Idempotency-Key");
    }
    expect(await count("orders")).toBe(0);
  });
});
