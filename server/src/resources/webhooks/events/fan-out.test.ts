import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../../test/harness/database.ts";
import { findOrCreateAccount } from "../../users/accounts.ts";
import { eventIds } from "./event-id.ts";
import { deliveriesChannel, emitEvents, type NewEvent } from "./outbox.ts";

const { query: db, driver } = await testDatabase();
const at = new Date("2026-03-01T12:00:00.750Z");
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

const endpoint = async (
  userId: number,
  its: { event_types?: string[]; state?: "disabled"; ordered?: boolean } = {},
): Promise<number> => {
  const row = await db
    .insertInto("webhook_endpoints")
    .values({
      user_id: userId,
      url: "https://receiver.example/",
      secret: "sealed",
      created_at: at,
      ...its,
      ...(its.state === "disabled" && { disabled_at: at, disabled_reason: "Because." }),
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

const purchase: NewEvent = { type: "beat.purchased", data: {}, at, audience: [seller, buyer] };
const news: NewEvent = { type: "beat.created", data: {}, at, audience: "everyone" };

test("a purchase reaches seller, buyer and marketplace accounts, and no stranger", async () => {
  const [ofSeller, ofBuyer, , ofMarketplace] = await Promise.all(
    [seller, buyer, stranger, marketplace].map((id) => endpoint(id)),
  );
  await emitEvents(db, [purchase]);
  const told = (await deliveries()).map(({ endpoint_id }) => endpoint_id);
  expect(told.toSorted()).toEqual([ofSeller, ofBuyer, ofMarketplace].toSorted());
});

test("public news reaches every subscriber of its type, and those who subscribed to all", async () => {
  const all = await endpoint(stranger);
  const subscribed = await endpoint(stranger, { event_types: ["user.updated", "beat.created"] });
  await endpoint(stranger, { event_types: ["beat.updated"] });
  await emitEvents(db, [news]);
  expect((await deliveries()).map(({ endpoint_id }) => endpoint_id).toSorted()).toEqual([all, subscribed].toSorted());
});

test("a delivery is due at once; for a disabled endpoint it is kept as skipped", async () => {
  const enabled = await endpoint(stranger);
  const disabled = await endpoint(stranger, { state: "disabled" });
  await emitEvents(db, [news]);
  expect(await deliveries()).toEqual(
    expect.arrayContaining([
      { endpoint_id: enabled, type: "beat.created", state: "pending", next_attempt_at: at },
      { endpoint_id: disabled, type: "beat.created", state: "skipped", next_attempt_at: null },
    ]),
  );
});

test("the fact, its event and its deliveries commit together, and only then are workers woken", async () => {
  await endpoint(stranger);
  let woken = 0;
  let wake: () => void = () => {};
  const isWoken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const { unlisten } = await driver.listen(deliveriesChannel, () => {
    woken++;
    wake();
  });
  const failing = db.transaction().execute(async (transaction) => {
    await emitEvents(transaction, [news]);
    throw new Error("the fact did not come about");
  });
  await expect(failing).rejects.toThrow("did not come about");
  expect(await deliveries()).toEqual([]);
  await db.transaction().execute((transaction) => emitEvents(transaction, [news, news]));
  await isWoken;
  expect(await deliveries()).toHaveLength(2);
  expect(woken).toBe(1);
  await unlisten();
});

test("events of one moment keep their order, in their ids and in the queue", async () => {
  await endpoint(stranger);
  const facts = Array.from({ length: 300 }, (_, n): NewEvent => ({ ...news, data: { n }, at }));
  await emitEvents(db, facts);
  const rows = await db
    .selectFrom("webhook_deliveries")
    .innerJoin("events", "events.id", "event_id")
    .select(["payload", "event_id"])
    .orderBy("webhook_deliveries.id")
    .execute();
  expect(rows.map(({ payload }) => JSON.parse(payload).data.n)).toEqual(facts.map((_, n) => n));
  expect(rows.map(({ event_id }) => event_id)).toEqual(rows.map(({ event_id }) => event_id).toSorted());
  expect(new Set(eventIds(facts.map(() => at.getTime()))).size).toBe(300);
});
