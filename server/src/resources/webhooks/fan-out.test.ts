import { deliveriesChannel } from "@beatmarket/webhooks/events/outbox.ts";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { findOrCreateAccount } from "../users/accounts.ts";
import { emitEvents, type NewEvent } from "./outbox.ts";

const { query: db, listener } = await testDatabase();
const time = new Date("2026-03-01T12:00:00.750Z");
const [seller = 0, buyer = 0, stranger = 0, marketplace = 0] = await Promise.all(
  ["seller", "buyer", "stranger", "market"].map(async (name) => {
    const { id } = await findOrCreateAccount(db, { email: `${name}@example.com` });
    return id;
  }),
);
await db.updateTable("users").set({ marketplace: true }).where("id", "=", marketplace).execute();

beforeEach(async () => {
  for (const table of ["webhook_endpoints", "webhook_deliveries", "events"] as const)
    await db.deleteFrom(table).execute();
});

const insertEndpoint = async (
  userId: number,
  overrides: { event_types?: string[]; state?: "disabled"; ordered?: boolean } = {},
): Promise<number> => {
  const row = await db
    .insertInto("webhook_endpoints")
    .values({
      user_id: userId,
      url: "https://receiver.example/",
      secret: "sealed",
      created_at: time,
      ...overrides,
      ...(overrides.state === "disabled" && { disabled_at: time, disabled_reason: "Because." }),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
};

const deliveries = () =>
  db
    .selectFrom("webhook_deliveries")
    .innerJoin("events", "events.id", "event_id")
    .select(["endpoint_id", "events.type", "state", "next_attempt_at"])
    .orderBy("webhook_deliveries.id")
    .execute();

const purchase: NewEvent = { type: "beat.purchased", data: {}, at: time, audience: [seller, buyer] };
const publicEvent: NewEvent = { type: "beat.created", data: {}, at: time, audience: "everyone" };

test("only seller, buyer and marketplace accounts receive a purchase", async () => {
  const [ofSeller, ofBuyer, , ofMarketplace] = await Promise.all(
    [seller, buyer, stranger, marketplace].map((id) => insertEndpoint(id)),
  );
  await emitEvents(db, [purchase]);
  const recipients = (await deliveries()).map(({ endpoint_id }) => endpoint_id);
  expect(recipients.toSorted()).toEqual([ofSeller, ofBuyer, ofMarketplace].toSorted());
});

test("a private event goes only to its accounts, and not to marketplace accounts", async () => {
  const [ofSeller, ofBuyer] = await Promise.all([seller, buyer, stranger, marketplace].map((id) => insertEndpoint(id)));
  await insertEndpoint(seller, { event_types: ["beat.purchased"] });
  await emitEvents(db, [{ type: "order.refunded", data: {}, at: time, audience: [seller, buyer] }]);
  const recipients = (await deliveries()).map(({ endpoint_id }) => endpoint_id);
  expect(recipients.toSorted()).toEqual([ofSeller, ofBuyer].toSorted());
});

test("a public event goes to the subscribers of its type and of every type", async () => {
  const endpointForAll = await insertEndpoint(stranger);
  const subscribed = await insertEndpoint(stranger, { event_types: ["user.updated", "beat.created"] });
  await insertEndpoint(stranger, { event_types: ["beat.updated"] });
  await emitEvents(db, [publicEvent]);
  expect((await deliveries()).map(({ endpoint_id }) => endpoint_id).toSorted()).toEqual(
    [endpointForAll, subscribed].toSorted(),
  );
});

test("a delivery is due immediately, and skipped for a disabled endpoint", async () => {
  const enabled = await insertEndpoint(stranger);
  const disabled = await insertEndpoint(stranger, { state: "disabled" });
  await emitEvents(db, [publicEvent]);
  expect(await deliveries()).toEqual(
    expect.arrayContaining([
      { endpoint_id: enabled, type: "beat.created", state: "pending", next_attempt_at: time },
      { endpoint_id: disabled, type: "beat.created", state: "skipped", next_attempt_at: null },
    ]),
  );
});

test("events and deliveries commit with their transaction, which notifies the workers once", async () => {
  await insertEndpoint(stranger);
  let woken = 0;
  let wake: () => void = () => {};
  const isWoken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const unsubscribe = await listener.subscribe(deliveriesChannel, {
    onListening: () => {},
    onNotification: () => {
      woken++;
      wake();
    },
  });
  const failing = db.transaction().execute(async (transaction) => {
    await emitEvents(transaction, [publicEvent]);
    throw new Error("the transaction failed");
  });
  await expect(failing).rejects.toThrow("transaction failed");
  expect(await deliveries()).toEqual([]);
  await db.transaction().execute((transaction) => emitEvents(transaction, [publicEvent, publicEvent]));
  await isWoken;
  expect(await deliveries()).toHaveLength(2);
  expect(woken).toBe(1);
  unsubscribe();
});

test("events of one millisecond have the same order in their ids and in the queue", async () => {
  await insertEndpoint(stranger);
  const events = Array.from({ length: 300 }, (_, n): NewEvent => ({ ...publicEvent, data: { n }, at: time }));
  await emitEvents(db, events);
  const rows = await db
    .selectFrom("webhook_deliveries")
    .innerJoin("events", "events.id", "event_id")
    .select(["payload", "event_id"])
    .orderBy("webhook_deliveries.id")
    .execute();
  expect(rows.map(({ payload }) => JSON.parse(payload).data.n)).toEqual(events.map((_, n) => n));
  expect(rows.map(({ event_id }) => event_id)).toEqual(rows.map(({ event_id }) => event_id).toSorted());
  expect(new Set(rows.map(({ event_id }) => event_id)).size).toBe(300);
});
