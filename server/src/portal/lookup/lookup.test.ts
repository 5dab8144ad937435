import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { logEntry, writeLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import { beforeAll, expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { type SignedInVisitor, testPortal } from "../../../test/harness/portal.ts";

const clock = new FakeClock();
const portal = await testPortal({ clock });
const { driver } = portal.database;
const requestId = "01936f5e-7c00-7abc-8def-0123456789ab";

let ada: SignedInVisitor;
let eve: SignedInVisitor;
let order = 0;
beforeAll(async () => {
  [ada, eve] = [await portal.signUp("ada@example.com", "Ada"), await portal.signUp("eve@example.com", "Eve")];
  const [beat = 0] = await insertBeats(portal.database, [{ title: "Midnight" }]);
  const [row] = await driver`
    insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
      completed_at, payment_method, payment_provider, payment_key, created_at, buyer_name)
    values (${eve.userId}, ${beat}, 'Midnight', ${ada.userId}, 'Ada', 'basic', 2990, 'USD', 'completed', now(),
      'pm_card_visa', 'sandbox', 'one', now(), 'Eve') returning id`;
  order = row?.id;
});

const find = async (visitor: SignedInVisitor, id: string) => (await visitor.get(`/lookup?id=${id}`)).json().found;

test("the number of an order finds the buyer's order and the producer's sale", async () => {
  const detail = "Midnight · basic · completed";
  expect(await find(eve, String(order))).toEqual([
    { kind: "order", title: `Order ${order}`, detail, path: `/portal/library?order=${order}` },
  ]);
  expect(await find(ada, String(order))).toEqual([
    { kind: "sale", title: `Order ${order}`, detail, path: `/portal/sales/orders/${order}` },
  ]);
});

test("the id of an event finds the event and its deliveries, a delivery's id that delivery, but only for the owner", async () => {
  const created = await ada.send("POST", "/webhooks/endpoints", {
    url: "https://receiver.example/hook",
    event_types: null,
  });
  const endpoint = created.json().endpoint.id;
  await driver`
    insert into events (id, type, audience, created_at, payload)
    values ('evt_one', 'user.updated', ${[ada.userId]}, now(), '{"type":"user.updated"}')`;
  const [delivery] = await driver`
    insert into webhook_deliveries (endpoint_id, event_id, type, state, ordered, created_at)
    values (${endpoint}, 'evt_one', 'user.updated', 'failed', false, now()) returning id`;
  const foundDelivery = {
    kind: "delivery",
    title: `Delivery ${delivery?.id}`,
    detail: "user.updated · failed · evt_one",
    path: `/portal/webhooks/deliveries/${delivery?.id}`,
  };
  const event = {
    kind: "event",
    title: "Event evt_one",
    detail: "user.updated",
    path: "/portal/explorer?operation=getEvent&event_id=evt_one",
  };
  expect(await find(ada, "evt_one")).toEqual([foundDelivery, event]);
  expect(await find(ada, String(delivery?.id))).toContainEqual(foundDelivery);
  expect(await find(eve, "evt_one")).toEqual([]);
});

test("the id of a request finds the call in the account's log", async () => {
  const timeMs = Number.parseInt(requestId.replaceAll("-", "").slice(0, 12), 16);
  await writeLogEntries(portal.database, [logEntry({ timeMs, requestId, userId: ada.userId, path: "/v1/beats" })]);
  expect(await find(ada, requestId)).toEqual([
    {
      kind: "request",
      title: `Request ${requestId}`,
      detail: "GET /v1/beats · 200",
      path: `/portal/log?request=${requestId}`,
    },
  ]);
  expect(await find(eve, requestId)).toEqual([]);
});

test("an unknown id finds nothing, and a request without a session is 401", async () => {
  expect(await find(ada, "0")).toEqual([]);
  expect(await find(ada, "midnight")).toEqual([]);
  expect((await portal.visitor().get("/lookup?id=1")).statusCode).toBe(401);
});
