import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";
import { sandboxMethods } from "../../resources/orders/payments/sandbox/methods.ts";

let portal: TestPortal;
let ada: SignedInVisitor;
let beat = 0;
let second = 0;
beforeAll(async () => {
  portal = await testPortal();
  ada = await portal.signUp("ada@example.com");
  [beat = 0, second = 0] = await insertBeats(portal.database, [
    { title: "Midnight Drive", producer: "Nightowl", priceCents: 2990 },
    { title: "Morning Coffee", producer: "Nightowl" },
  ]);
});

const buy = (visitor: SignedInVisitor, fields: object = {}, key?: string) =>
  visitor.send(
    "POST",
    "/market/orders",
    { beat_id: beat, license_type: "basic", payment_method: "pm_card_visa", ...fields },
    key === undefined ? {} : { "idempotency-key": key },
  );
const ordersOf = async (visitor: SignedInVisitor): Promise<number> =>
  (await visitor.get("/library/orders")).json().total;

test("terms and purchases are 401 without a session; the currency is everybody's", async () => {
  const stranger = portal.visitor();
  expect((await stranger.get(`/market/beats/${beat}`)).statusCode).toBe(401);
  expect((await stranger.get("/market/options")).json()).toMatchObject({ currency: "USD" });
  expect((await stranger.send("POST", "/market/orders", {})).statusCode).toBe(401);
});

test("GET /market/options has the currency, and all methods of the sandbox with what each does", async () => {
  const options = (await ada.get("/market/options")).json();
  expect(options).toMatchObject({ currency: "USD", provider: "sandbox" });
  const does = new Map(options.payment_methods.map((method: { id: string; does: string }) => [method.id, method.does]));
  expect([...does.keys()]).toEqual([...sandboxMethods.keys()]);
  expect(does.get("pm_card_visa")).toBe("Succeeds at once.");
  expect(does.get("pm_card_authenticationRequired")).toContain("approve or decline");
  expect(does.get("pm_card_visa_chargeDeclined")).toBe("Fails: Your card was declined.");
});

describe("a beat", () => {
  test("has price, files and the terms in full of each license, with the names of beat and producer", async () => {
    const { beat: shown, is_own, licenses } = (await ada.get(`/market/beats/${beat}`)).json();
    expect({ title: shown.title, is_own }).toEqual({ title: "Midnight Drive", is_own: false });
    expect(licenses.map(({ type }: { type: string }) => type)).toEqual(["basic", "premium", "unlimited", "exclusive"]);
    // There is no recording of it here.
    expect(licenses[0]).toMatchObject({ price: 29.9, available: true, files: ["license"] });
    const { title, version, blocks } = licenses[1].terms;
    expect([title, version]).toEqual(["Premium license", "2026-11-26"]);
    const text = blocks.map((block: { text: string }) => block.text).join("\n");
    expect(text).toContain("Nightowl (the producer) licenses the beat “Midnight Drive”");
    expect(text).toContain("up to 10,000 copies");
    expect(text).not.toMatch(/\{\w+\}/);
    expect((await ada.get("/market/beats/999999")).statusCode).toBe(404);
  });

  test("says before the purchase which characters its certificate cannot print", async () => {
    const [plain, runes] = await insertBeats(portal.database, [{ title: "สวัสดี 𝕯𝖆𝖗𝖐 नमस्ते" }, { title: "Storm ᚠᚢᚠ" }]);
    expect((await ada.get(`/market/beats/${plain}`)).json().unprintable).toEqual([]);
    expect((await ada.get(`/market/beats/${runes}`)).json().unprintable).toEqual(["ᚠ", "ᚢ"]);
  });
});

describe("a purchase", () => {
  test("is an order of the account at the beat's price", async () => {
    const response = await buy(ada, { license_type: "premium" });
    expect(response.statusCode, response.body).toBe(201);
    expect(response.json()).toMatchObject({ status: "completed", license_type: "premium", beat: { id: beat } });
    const { orders } = (await ada.get("/library/orders")).json();
    expect(orders[0]).toMatchObject({ id: response.json().id, is_refunded: false, downloads: [] });
  });

  test("is repeated under its Idempotency-Key without buying twice; another purchase under it is 409", async () => {
    const key = randomUUID();
    const before = await ordersOf(ada);
    const [first, again] = [await buy(ada, {}, key), await buy(ada, {}, key)];
    expect(again.json()).toEqual(first.json());
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect((await buy(ada, { beat_id: second }, key)).statusCode).toBe(409);
    expect(await ordersOf(ada)).toBe(before + 1);
  });

  test("under the same key by another account is a purchase of its own", async () => {
    const eve = await portal.signUp("eve@example.com");
    const key = randomUUID();
    const [first, hers] = [await buy(ada, {}, key), await buy(eve, {}, key)];
    expect(hers.json().id).not.toBe(first.json().id);
    expect(await ordersOf(eve)).toBe(1);
  });

  test("that the bank declines is an order with its reason, and one that waits names the payment's page", async () => {
    expect((await buy(ada, { payment_method: "pm_card_visa_chargeDeclined" })).json()).toMatchObject({
      status: "failed",
      failure_reason: "Your card was declined.",
    });
    const waiting = (await buy(ada, { payment_method: "pm_card_authenticationRequired" })).json();
    expect(waiting.status).toBe("pending");
    expect(new URL(waiting.next_action.url).pathname).toMatch(/^\/pay\//);
  });

  test.each([
    [400, { payment_method: "pm_of_nobody" }],
    [400, { license_type: "gold" }],
    [404, { beat_id: 999_999 }],
  ])("is %i for %j, and makes no order", async (status, fields) => {
    const before = await ordersOf(ada);
    expect((await buy(ada, fields)).statusCode).toBe(status);
    expect(await ordersOf(ada)).toBe(before);
  });

  test("of one's own beat is 409", async () => {
    const [own = 0] = await insertBeats(portal.database, [{ title: "Mine" }]);
    await portal.database.query.updateTable("beats").set({ user_id: ada.userId }).where("id", "=", own).execute();
    expect((await ada.get(`/market/beats/${own}`)).json().is_own).toBe(true);
    expect((await buy(ada, { beat_id: own })).statusCode).toBe(409);
  });
});
